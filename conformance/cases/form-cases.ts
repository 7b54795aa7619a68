import { omitUndefined } from "../base/omit-undefined.ts";
import { factsOf } from "../protocols/facts.ts";
import { drawnIdentifier, type Mutation, mutationsOf, type SampleReading } from "../samples/index.ts";
import type { Edit, Expectation } from "../suite/case.ts";
import type { Level } from "../suite/level.ts";
import { ownDecisions, selectedFlat } from "../suite/methods.ts";
import { pathGroups } from "../suite/shape.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import {
  absent,
  escaped,
  type FieldShape,
  isJsonObject,
  type JsonPath,
  memberOf,
  type ObjectShape,
  partAt,
  payloadProblems,
  pointerOf,
  type Problem,
} from "../values/index.ts";
import { documentedIn, type Draft, type Sketch, slug } from "./draft.ts";
import {
  baseName,
  fieldsAlong,
  fieldsOf,
  hasTooManyDigits,
  isUnused,
  movesMoney,
  unknownParts,
} from "./fields.ts";
import { type CaseGround, withinDocument } from "./within-document.ts";

/** A payload, or one form of it. */
export interface Form {
  readonly name?: string;
  readonly shape: ObjectShape;
}

/** The ground of a method's cases; its reading also makes values. */
type PayloadGround = CaseGround & { readonly reading: SampleReading };

/** The name that mutations give to an unknown member. */
const unknownName = "x-unknown";

/** The cases of one form: both sides of each rule, spellings, strangers. */
export class FormCases {
  readonly sketches: Sketch[] = [];
  readonly #suite: Suite;
  readonly #entry: MethodEntry;
  readonly #reading: SampleReading;
  readonly #shape: ObjectShape;
  readonly #base: string;
  readonly #least: string;
  readonly #prefix: string;

  constructor({ name, shape }: Form, { suite, entry, reading }: PayloadGround) {
    this.#suite = suite;
    this.#entry = entry;
    this.#reading = reading;
    this.#shape = shape;
    this.#base = baseName(name, "maximal");
    this.#least = baseName(name, "minimal");
    this.#prefix = name === undefined ? "payload" : `payload ${name}`;
  }

  /** Values on both sides of each rule. */
  rules(): void {
    const base = this.#entry.bases[this.#base];
    const seen = new Set<string>();
    for (const mutation of mutationsOf(this.#shape, base, this.#reading)) {
      const text = JSON.stringify(mutation.data);
      if (seen.has(text) || mutation.parts.length === 0) continue;
      if (factsOf(this.#entry).isOfProtocol(mutation, this.#entry) || this.#isOfAnother(mutation.data))
        continue;
      seen.add(text);
      this.#mutationCase(mutation);
    }
  }

  /** Whether a flat body became one of another operation. */
  #isOfAnother(data: unknown): boolean {
    const found = methodOf(this.#entry, data, this.#suite);
    return found !== undefined && found !== this.#entry;
  }

  #mutationCase(mutation: Mutation): void {
    const { description, parts, data } = mutation;
    const path = parts[0]?.[0] ?? [];
    if (path.at(-1) === unknownName && !this.#has("unknown-fields")) return;
    const isOpen = this.#isLeftOpen(parts, path);
    if (isOpen && this.#problemsOf(data).length === 0) return;
    const name = [this.#prefix, ...nameOf(aboutOf(description, parts) ?? path), slug(whatOf(description))];
    this.sketches.push({ name, make: () => this.#mutationDraft(name, mutation) });
  }

  #problemsOf(data: unknown): readonly Problem[] {
    return payloadProblems(this.#entry.payload, data, this.#reading);
  }

  /** Whether nothing is known of the answer to a changed payload that fits. */
  #isLeftOpen(parts: Mutation["parts"], path: JsonPath): boolean {
    const { resolve } = this.#reading;
    const field = fieldsAlong(path, this.#shape, resolve).at(-1);
    if (hasTooManyDigits(parts, field, resolve)) return !this.#has("money");
    // Such a name would be taken, and be there for the cases that need one of which nothing is known.
    const { samples } = unknownParts(parts, this.#shape, resolve);
    return samples.some((sample) => isUnused(sample, this.#suite)) || movesMoney(parts, this.#shape, resolve);
  }

  #mutationDraft(name: readonly string[], { description, parts, data }: Mutation): Draft {
    const path = parts[0]?.[0] ?? [];
    const field = fieldsAlong(path, this.#shape, this.#reading.resolve).at(-1);
    const problems = this.#problemsOf(data);
    const common = omitUndefined({
      method: this.#entry.name,
      name,
      title: description,
      stated: [this.#entry, field],
      request: this.#requestOf(parts, data),
      rule: path.at(-1) === unknownName ? "unknown-fields" : undefined,
    });
    const [first] = problems;
    if (first !== undefined) {
      const level = levelOfProblem(first, this.#entry, this.#shape);
      // Beside the least payload nothing else is wrong: what is optional may have a value that only this service refuses.
      const isLeast =
        level === "document" && first.kind === "type" && this.#entry.bases[this.#least] !== undefined;
      return {
        ...common,
        ...(isLeast ? { request: { ...common.request, base: this.#least } } : {}),
        level,
        expect: this.#rejection(problems, data),
      };
    }
    if (hasTooManyDigits(parts, field, this.#reading.resolve)) {
      const at = pointerOf(path);
      const expect: Expectation = { kind: "error", codes: [this.#fault("badInput")], field: at };
      return { ...common, rule: "money", level: "decisions", expect };
    }
    const unknown = unknownParts(parts, this.#shape, this.#reading.resolve);
    return this.#fair({ ...common, ...this.#acceptance(unknown, field, whatOf(description), parts) });
  }

  /** Whether the spec has a rule: what it does not ask for is not tried. */
  #has(rule: string): boolean {
    return Object.hasOwn(this.#suite.rules, rule);
  }

  /** The code of a condition that the runtime itself detects. */
  #fault(name: string): string {
    return this.#suite.faults[name] ?? name;
  }

  #fair(draft: Draft): Draft {
    const ground = { suite: this.#suite, entry: this.#entry, reading: this.#reading };
    return withinDocument(draft, this.#shape, ground);
  }

  #requestOf(parts: Mutation["parts"], data: unknown) {
    if (parts.some(([path]) => path.length === 0)) return { payload: data };
    return { base: this.#base, edits: parts.map(([path, value]) => editOf(path, value)) };
  }

  /**
   * The fault of a group of fields has no place in the order of fields: beside it, no field has to be named. Also
   * excluded: a stored form that may be any form with different faulty fields, and a flat body without a field that
   * identifies the operation.
   */
  #rejection(problems: readonly Problem[], data: unknown): Expectation {
    const [first] = problems;
    const code = this.#fault("badInput");
    const isDocumented = first?.kind === "absent" || first?.kind === "empty";
    const isOfField =
      !isHeldToEachForm(this.#entry) &&
      methodOf(this.#entry, data, this.#suite) !== undefined &&
      (!isStored(this.#entry) || problems.every(({ at }) => at === first?.at)) &&
      problems.every(({ kind, at }) => kind !== "group" && kind !== "form" && at !== "");
    return {
      kind: "error",
      codes: [code],
      ...(isDocumented ? documentedIn(this.#entry, code) : {}),
      ...omitUndefined({ field: first !== undefined && isOfField ? first.at : undefined }),
    };
  }

  /** The answer to a payload that fits, whose changed values may name unknown records. */
  #acceptance(
    unknown: { readonly samples: readonly string[]; readonly free: boolean },
    field: FieldShape | undefined,
    what: string,
    parts: Mutation["parts"],
  ): { readonly level: Level; readonly expect: Expectation } {
    const isPlain =
      field !== undefined &&
      isPlainPositive(what) &&
      (what === "absent" || ownDecisions(field, this.#suite).length === 0);
    const level = isPlain ? "document" : "decisions";
    if (unknown.samples.length > 0) {
      const codes = unknown.free ? [] : this.#absentCodes(unknown.samples);
      if (codes.length === 0) return { level: "decisions", expect: { kind: "answered" } };
      // An item of a list that is an empty text is no identifier, or one of nothing.
      const refused = parts.some(([, value]) => value === "") ? [this.#fault("badInput")] : [];
      return { level: "decisions", expect: { kind: "error", codes: [...codes, ...refused] } };
    }
    return unknown.free
      ? { level: "decisions", expect: { kind: "answered" } }
      : { level, expect: { kind: "result" } };
  }

  #absentCodes(samples: readonly string[]): readonly string[] {
    const declared = new Set(this.#entry.errors.map(({ code }) => code));
    const codes = samples.flatMap(
      (sample) => this.#suite.resources.find((resource) => resource.samples.includes(sample))?.absent ?? [],
    );
    return codes.filter((code) => declared.has(code));
  }

  /** Every field under its other spellings, and under two at once. */
  spellings(): void {
    if (!this.#has("request-spellings")) return;
    const base = this.#entry.bases[this.#base];
    for (const { field, path } of fieldsOf(this.#shape, base, this.#reading.resolve)) {
      const folded = [field.name.toUpperCase(), field.name.toLowerCase()];
      const spellings = [...new Set([...field.spellings, ...folded])].filter((name) => name !== field.name);
      for (const spelling of spellings) {
        const isDocumented = field.spellings.includes(spelling);
        const name = [this.#prefix, ...nameOf(path), `spelled-${spelling}`];
        const make = (): Draft =>
          this.#fair({
            method: this.#entry.name,
            name,
            title: `${pointerOf(path)} spelled ${spelling}`,
            level: isDocumented ? "document" : "decisions",
            rule: "request-spellings",
            stated: [this.#entry, field],
            request: { base: this.#base, edits: [{ op: "rename", at: pointerOf(path), to: spelling }] },
            expect: { kind: "result" },
          });
        this.sketches.push({ name, make });
      }
      const [other] = spellings;
      if (other === undefined) continue;
      const name = [this.#prefix, ...nameOf(path), "two-spellings"];
      const make = (): Draft => ({
        method: this.#entry.name,
        name,
        title: `${pointerOf(path)} and ${other} at once`,
        level: "decisions",
        rule: "request-spellings",
        stated: [field],
        request: {
          base: this.#base,
          edits: [{ op: "set", at: pointerOf([...path.slice(0, -1), other]), value: partAt(base, path) }],
        },
        expect: { kind: "error", codes: [this.#fault("badInput")], field: pointerOf(path) },
      });
      this.sketches.push({ name, make });
    }
  }

  /** Identifiers of what does not exist. */
  strangers(): void {
    const base = this.#entry.bases[this.#base];
    for (const { field, path } of fieldsOf(this.#shape, base, this.#reading.resolve)) {
      const sample = field.identifies ?? field.refersTo;
      if (sample === undefined || isUnused(sample, this.#suite)) continue;
      if (drawnIdentifier([field.shape], () => 0.5, this.#reading) === undefined) continue;
      const codes = this.#absentCodes([sample]);
      const documented = codes.some((code) => "documented" in documentedIn(this.#entry, code));
      const unknown = `{{unknown.${sample}}}`;
      const value = this.#reading.resolve(field.shape).kind === "array" ? [unknown] : unknown;
      const others = siblingSamples(this.#shape, field, base);
      for (const [kind, edits] of [
        ["unknown", []],
        ...others.map(
          (other) => [`unknown-without-${other}`, [{ op: "omit", at: `/${escaped(other)}` }]] as const,
        ),
      ] as const) {
        const name = [this.#prefix, ...nameOf(path), kind];
        const make = (): Draft => ({
          method: this.#entry.name,
          name,
          title: `${pointerOf(path)} of what does not exist`,
          level: documented ? "document" : "decisions",
          stated: [this.#entry, field],
          request: {
            base: this.#base,
            edits: [{ op: "set", at: pointerOf(path), value }, ...edits, ...conditionOf(field, path)],
          },
          expect:
            codes.length === 0 || (kind === "unknown" && others.length > 0)
              ? { kind: "answered" }
              : omitUndefined({ kind: "error", codes, documented: documented || undefined }),
        });
        this.sketches.push({ name, make });
      }
    }
  }
}

/** The change that a mutation's description names, without its place. */
function whatOf(description: string): string {
  return description.slice(description.indexOf(": ") + 1).trim();
}

/** Optional siblings that identify the same thing: with them, an unknown one contradicts rather than is unknown. */
function siblingSamples(shape: ObjectShape, field: FieldShape, base: unknown): readonly string[] {
  if (field.identifies === undefined || field.presence.kind === "required") return [];
  return shape.fields
    .filter(
      (other) =>
        other !== field &&
        other.identifies !== undefined &&
        other.presence.kind !== "required" &&
        partAt(base, [other.name]) !== undefined,
    )
    .map(({ name }) => name);
}

/** The edits that make an optional field required: only then it is read. */
function conditionOf({ presence }: FieldShape, path: JsonPath): readonly Edit[] {
  if (presence.kind !== "required-when") return [];
  const at = pointerOf([...path.slice(0, -1), presence.field]);
  return [{ op: "set", at, value: presence.values[0] }];
}

/** Whether the document states it literally: a value of an enum, an absent optional field. */
function isPlainPositive(what: string): boolean {
  return /^(?:value |absent|true$|false$)/.test(what);
}

function levelOfProblem({ kind, field, at, found }: Problem, method: MethodEntry, shape: ObjectShape): Level {
  if (method.section === undefined) return "decisions";
  if (kind === "absent") return "document";
  // The tables say which fields are texts; of what may be left out a service may take no notice.
  if (kind === "type" && typeof found === "number" && field?.presence.kind === "required") {
    const isWhole = shape.fields.includes(field) && field.shape.kind === "string";
    return isWhole ? "document" : "decisions";
  }
  if (kind === "group") {
    const first = pathGroups(shape)
      .flat()
      .map(([name]) => name);
    const grouped: readonly unknown[] = [...[...shape.atLeastOneOf, ...shape.exactlyOneOf].flat(), ...first];
    const fields = shape.fields.filter(({ name }) => grouped.includes(name));
    return at === "" && fields.some(({ decisions }) => decisions.length === 0) ? "document" : "decisions";
  }
  if (kind === "empty") {
    return "documented" in documentedIn(method, "BAD_INPUT") ? "document" : "decisions";
  }
  return kind === "value" && field?.decisions.length === 0 ? "document" : "decisions";
}

/** The changed part that a description begins with: what goes with it is its condition. */
function aboutOf(description: string, parts: Mutation["parts"]): JsonPath | undefined {
  return parts.map(([path]) => path).find((path) => description.startsWith(`${path.join(".")}: `));
}

function nameOf(path: JsonPath): readonly string[] {
  return path.length === 0 ? [] : [path.join(".")];
}

function editOf(path: JsonPath, value: unknown): Edit {
  return value === absent ? { op: "omit", at: pointerOf(path) } : { op: "set", at: pointerOf(path), value };
}

/** The method that a body is for: none where nothing in a flat body shows it. */
function methodOf(entry: MethodEntry, data: unknown, { methods }: Suite): MethodEntry | undefined {
  if (entry.transport.kind !== "flat" || !isJsonObject(data)) return entry;
  return selectedFlat(methods, entry.path, (field) => memberOf(data, field));
}

/** Whether the form that a payload has depends on what is stored. */
function isStored({ payload }: MethodEntry): boolean {
  return payload.kind === "forms" && payload.selectedBy === "stored";
}

/** Whether what is wrong is another field in each form. */
function isHeldToEachForm({ payload }: MethodEntry): boolean {
  return payload.kind === "forms" && payload.heldToEach === true;
}
