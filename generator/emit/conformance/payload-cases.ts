import type { Edit, Expectation } from "../../../conformance/suite/case.ts";
import { isJsonObject, payloadProblems, type Problem } from "../../../conformance/values/index.ts";
import { ownDecisions } from "../../../conformance/suite/own-decisions.ts";
import type { Level, MethodEntry } from "../../../conformance/suite/suite.ts";
import { formsOf, selectedFlat } from "../../model/index.ts";
import type { FieldModel, MethodModel, ObjectTypeShape, ServiceModel } from "../../model/service-model.ts";
import { absent, mutationsOf, partAt, type JsonPath, type Mutation } from "../../samples/index.ts";
import { baseName, pointerOf, requestReading } from "./bases.ts";
import { slug, type CaseList, type Draft } from "./case-list.ts";
import { documentedIn } from "./documented-in.ts";
import { exampleCase } from "./example-cases.ts";
import { fieldsAlong, fieldsOf } from "./fields-of.ts";
import { isHeldToEachForm } from "./held-to-each-form.ts";
import { hasTooManyDigits, isUnused, movesMoney, unknownParts } from "./unknown-values.ts";
import {
  aboutOf,
  editOf,
  isOfProtocol,
  isPlainPositive,
  levelOfProblem,
  nameOf,
} from "./payload-mutation.ts";
import { withinDocument } from "./within-document.ts";

/** The cases of a payload: examples, the least and the most, both sides of each rule, spellings, unknown members. */
export function payloadCases(method: MethodModel, list: CaseList): void {
  for (const example of method.examples) exampleCase(example, method, list);
  for (const form of formsOf(method.payload)) {
    for (const fullness of ["minimal", "maximal"] as const) {
      const draft: Draft = {
        method: method.name,
        name: ["payload", baseName(form.name, fullness)],
        title: fullness === "minimal" ? "only what is required" : "everything that may be sent",
        level: "document",
        stated: [method],
        request: { base: baseName(form.name, fullness) },
        expect: { kind: "result" },
      };
      const fair = withinDocument(draft, method, form.shape, list);
      list.add(fair);
      if (fair.request !== draft.request)
        list.add({ ...draft, name: [...draft.name, "in-full"], level: "decisions" });
    }
    const shapes = new FormCases(method, form, list);
    shapes.rules();
    shapes.spellings();
    shapes.strangers();
  }
}

/** The name that mutations give to an unknown member. */
const unknownName = "x-unknown";

class FormCases {
  readonly #method: MethodModel;
  readonly #entry: MethodEntry;
  readonly #list: CaseList;
  readonly #shape: ObjectTypeShape;
  readonly #base: string;
  readonly #prefix: string;

  constructor(
    method: MethodModel,
    form: { readonly name?: string; readonly shape: ObjectTypeShape },
    list: CaseList,
  ) {
    this.#method = method;
    this.#entry = list.entryOf(method);
    this.#list = list;
    this.#shape = form.shape;
    this.#base = baseName(form.name, "maximal");
    this.#prefix = form.name === undefined ? "payload" : `payload ${form.name}`;
  }

  /** Values on both sides of each rule. */
  rules(): void {
    const reading = requestReading(this.#method, this.#list.model);
    const base = this.#entry.bases[this.#base];
    const seen = new Set<string>();
    for (const mutation of mutationsOf(this.#shape, base, reading)) {
      const text = JSON.stringify(mutation.data);
      if (seen.has(text) || mutation.parts.length === 0) continue;
      if (isOfProtocol(mutation, this.#entry) || this.#isOfAnother(mutation.data)) continue;
      seen.add(text);
      this.#mutationCase(mutation);
    }
  }

  /** Whether a flat body became one of another operation. */
  #isOfAnother(data: unknown): boolean {
    const found = methodOf(this.#method, data, this.#list.model);
    return found !== undefined && found !== this.#method;
  }

  #mutationCase({ description, parts, data }: Mutation): void {
    const path = parts[0]?.[0] ?? [];
    const what = description.slice(description.indexOf(": ") + 1).trim();
    const chain = fieldsAlong(path, this.#shape, this.#list.model);
    const problems = payloadProblems(
      this.#entry.payload,
      data,
      requestReading(this.#method, this.#list.model),
    );
    const field = chain.at(-1);
    const isUnknown = path.at(-1) === unknownName;
    if (isUnknown && !this.#list.has("unknown-fields")) return;
    const common = {
      method: this.#method.name,
      name: [this.#prefix, ...nameOf(aboutOf(description, parts) ?? path), slug(what)],
      title: description,
      stated: [this.#method, field],
      request: this.#requestOf(parts, data),
      ...(isUnknown ? { rule: "unknown-fields" } : {}),
    };
    const [first] = problems;
    if (first !== undefined) {
      this.#list.add({
        ...common,
        level: levelOfProblem(first, this.#method, this.#shape),
        expect: this.#rejection(problems, data),
      });
      return;
    }
    if (hasTooManyDigits(parts, field, this.#list.model)) {
      const expect: Expectation = {
        kind: "error",
        codes: [this.#list.fault("badInput")],
        field: pointerOf(path),
      };
      if (this.#list.has("money")) this.#list.add({ ...common, rule: "money", level: "decisions", expect });
      return;
    }
    const unknown = unknownParts(parts, this.#shape, this.#list.model);
    // Such a name would be taken, and be there for the cases that need one of which nothing is known.
    if (unknown.samples.some((sample) => isUnused(sample, this.#list.model))) return;
    if (movesMoney(parts, this.#shape, this.#list.model)) return;
    this.#addFairly({ ...common, ...this.#acceptance(unknown, field, what) });
  }

  #addFairly(draft: Draft): void {
    this.#list.add(withinDocument(draft, this.#method, this.#shape, this.#list));
  }

  #requestOf(parts: Mutation["parts"], data: unknown) {
    if (parts.some(([path]) => path.length === 0)) return { payload: data };
    return { base: this.#base, edits: parts.map(([path, value]) => editOf(path, value)) };
  }

  /**
   * What is wrong with a group of fields has no place in the order of fields: beside it, no field has to be named. Nor
   * where a form that is stored may be any, and what is wrong is one field in one form and another in the next; nor
   * in a flat body without a field that tells whose it is.
   */
  #rejection(problems: readonly Problem[], data: unknown): Expectation {
    const [first] = problems;
    const code = this.#list.fault("badInput");
    const isDocumented = first?.kind === "absent" || first?.kind === "empty";
    const isOfField =
      !isHeldToEachForm(this.#method, this.#list.model) &&
      methodOf(this.#method, data, this.#list.model) !== undefined &&
      (!isStored(this.#method) || problems.every(({ at }) => at === first?.at)) &&
      problems.every(({ kind, at }) => kind !== "group" && kind !== "form" && at !== "");
    return {
      kind: "error",
      codes: [code],
      ...(isDocumented ? documentedIn(this.#method, code) : {}),
      ...(first !== undefined && isOfField ? { field: first.at } : {}),
    };
  }

  /** The answer to a payload that fits, whose changed values may name unknown records. */
  #acceptance(
    unknown: { readonly samples: readonly string[]; readonly free: boolean },
    field: FieldModel | undefined,
    what: string,
  ): { readonly level: Level; readonly expect: Expectation } {
    const isPlain =
      field !== undefined &&
      isPlainPositive(what) &&
      (what === "absent" || ownDecisions(field, this.#list.suite).length === 0);
    const level = isPlain ? "document" : "decisions";
    if (unknown.samples.length > 0) {
      const codes = unknown.free ? [] : this.#absentCodes(unknown.samples);
      if (codes.length === 0) return { level: "decisions", expect: { kind: "answered" } };
      return { level: "decisions", expect: { kind: "error", codes } };
    }
    return unknown.free
      ? { level: "decisions", expect: { kind: "answered" } }
      : { level, expect: { kind: "result" } };
  }

  #absentCodes(samples: readonly string[]): readonly string[] {
    const declared = new Set(this.#method.errors.map(({ code }) => code));
    const codes = samples.flatMap(
      (sample) =>
        this.#list.model.resources.find((resource) => resource.samples.some(({ name }) => name === sample))
          ?.absent ?? [],
    );
    return codes.filter((code) => declared.has(code));
  }

  /** Every field under its other spellings, and under two at once. */
  spellings(): void {
    if (!this.#list.has("request-spellings")) return;
    const base = this.#entry.bases[this.#base];
    for (const { field, path } of fieldsOf(this.#shape, base, this.#list.model)) {
      const folded = [field.name.toUpperCase(), field.name.toLowerCase()];
      const spellings = [...new Set([...field.spellings, ...folded])].filter((name) => name !== field.name);
      for (const spelling of spellings) {
        const isDocumented = field.spellings.includes(spelling);
        this.#addFairly({
          method: this.#method.name,
          name: [this.#prefix, ...nameOf(path), `spelled-${spelling}`],
          title: `${pointerOf(path)} spelled ${spelling}`,
          level: isDocumented ? "document" : "decisions",
          rule: "request-spellings",
          stated: [this.#method, field],
          request: { base: this.#base, edits: [{ op: "rename", at: pointerOf(path), to: spelling }] },
          expect: { kind: "result" },
        });
      }
      const [other] = spellings;
      if (other === undefined) continue;
      this.#list.add({
        method: this.#method.name,
        name: [this.#prefix, ...nameOf(path), "two-spellings"],
        title: `${pointerOf(path)} and ${other} at once`,
        level: "decisions",
        rule: "request-spellings",
        stated: [field],
        request: {
          base: this.#base,
          edits: [{ op: "set", at: pointerOf([...path.slice(0, -1), other]), value: partAt(base, path) }],
        },
        expect: { kind: "error", codes: [this.#list.fault("badInput")], field: pointerOf(path) },
      });
    }
  }

  /** Identifiers of what does not exist. */
  strangers(): void {
    const base = this.#entry.bases[this.#base];
    for (const { field, path } of fieldsOf(this.#shape, base, this.#list.model)) {
      const sample = field.identifies ?? field.refersTo;
      if (sample === undefined || isUnused(sample, this.#list.model)) continue;
      const codes = this.#absentCodes([sample]);
      const documented = codes.some((code) => "documented" in documentedIn(this.#method, code));
      const value = field.shape.kind === "array" ? ["{{unknown}}"] : "{{unknown}}";
      const others = siblingSamples(this.#shape, field, base);
      for (const [name, edits] of [
        ["unknown", []],
        ...others.map((other) => [`unknown-without-${other}`, [{ op: "omit", at: `/${other}` }]] as const),
      ] as const) {
        this.#list.add({
          method: this.#method.name,
          name: [this.#prefix, ...nameOf(path), name],
          title: `${pointerOf(path)} of what does not exist`,
          level: documented ? "document" : "decisions",
          stated: [this.#method, field],
          request: {
            base: this.#base,
            edits: [{ op: "set", at: pointerOf(path), value }, ...edits, ...conditionOf(field, path)],
          },
          expect:
            codes.length === 0 || (name === "unknown" && others.length > 0)
              ? { kind: "answered" }
              : { kind: "error", codes, ...(documented ? { documented } : {}) },
        });
      }
    }
  }
}

/** The method that a body is for: none where nothing in a flat body shows it. */
function methodOf(method: MethodModel, data: unknown, model: ServiceModel): MethodModel | undefined {
  if (method.transport.kind !== "flat" || !isJsonObject(data)) return method;
  const members = new Map(Object.entries(data));
  return selectedFlat(model, method.path, (field) => members.get(field));
}

function isStored({ payload }: MethodModel): boolean {
  return payload.kind === "forms" && payload.selectedBy === "stored";
}

/** Optional siblings that identify the same thing: with them, an unknown one contradicts rather than is unknown. */
function siblingSamples(shape: ObjectTypeShape, field: FieldModel, base: unknown): readonly string[] {
  if (field.identifies === undefined || field.presence.kind === "required") return [];
  return shape.fields
    .filter(
      (other) =>
        other !== field &&
        other.identifies !== undefined &&
        other.presence.kind !== "required" &&
        partAt(base, [other.name]) !== absent,
    )
    .map(({ name }) => name);
}

/** The edits that make an optional field required: only then it is read. */
function conditionOf({ presence }: FieldModel, path: JsonPath): readonly Edit[] {
  if (presence.kind !== "required-when") return [];
  const at = pointerOf([...path.slice(0, -1), presence.field]);
  return [{ op: "set", at, value: presence.values[0] }];
}
