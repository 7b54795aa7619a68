import type { Edit, Expectation } from "../../../conformance/suite/case.ts";
import {
  isJsonObject,
  payloadProblems,
  problemsOf,
  type Problem,
} from "../../../conformance/values/index.ts";
import { namesIn } from "../../../conformance/request/resolve-value.ts";
import { ownDecisions } from "../../../conformance/suite/own-decisions.ts";
import type { HeldValue, Level, MethodEntry } from "../../../conformance/suite/suite.ts";
import { formsOf, resolve } from "../../model/index.ts";
import type {
  ExampleModel,
  FieldModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import {
  absent,
  mutationsOf,
  partAt,
  replacedAt,
  type JsonPath,
  type Mutation,
} from "../../samples/index.ts";
import { baseName, pointerOf, requestReading } from "./bases.ts";
import { slug, type CaseList, type Draft } from "./case-list.ts";
import { isHeldToEachForm } from "./held-to-each-form.ts";
import { withinDocument } from "./within-document.ts";
import { oncePer } from "../../source/once-per.ts";

/** What a payload may and may not be: examples, the least and the most, both sides of each rule, spellings, strangers. */
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

/** An example of the spec, with samples where it has identifiers of objects that are meant to be there. */
function exampleCase(example: ExampleModel, method: MethodModel, list: CaseList): void {
  const known = knownIdentifiers(list.model);
  const payload = withSamples(example.payload, method, known, list.model);
  const taken = namesIn(payload).some((sample) => isUnused(sample, list.model));
  const isLate = example.error !== undefined && example.error !== list.fault("badInput");
  if (isLate && (taken || isAboutOther(example, method, known, list.model))) return;
  const expect: Expectation =
    example.error === undefined
      ? { kind: "result" }
      : { kind: "error", codes: [example.error], ...documentedIn(method, example.error) };
  const draft: Draft = {
    method: method.name,
    name: ["example", slug(example.name)],
    title: `example: ${example.name}`,
    level: example.error === undefined || "documented" in expect ? "document" : "decisions",
    stated: [method],
    request: { payload },
    expect,
  };
  const form = formFor(payload, method, list.model);
  list.add(form === undefined ? draft : withinDocument(draft, method, form.shape, list));
}

function documentedIn(method: MethodModel, code: string): { readonly documented?: true } {
  const declared = method.errors.find((error) => error.code === code);
  return declared?.section === undefined ? {} : { documented: true };
}

/** Whether a sample names what is not there yet: its resource is made without a step. */
function isUnused(sample: string, { resources }: ServiceModel): boolean {
  const resource = resources.find(({ samples }) => samples.some(({ name }) => name === sample));
  return resource?.made?.steps.length === 0;
}

/** The name that mutations give to a member nobody knows. */
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
      if (isOfProtocol(mutation, this.#entry)) continue;
      seen.add(text);
      this.#mutationCase(mutation);
    }
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
        expect: this.#refusal(problems, data),
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
    const strange = strangeParts(parts, this.#shape, this.#list.model);
    // Such a name would be taken, and be there for the cases that need one of which nothing is known.
    if (strange.samples.some((sample) => isUnused(sample, this.#list.model))) return;
    if (movesMoney(parts, this.#shape, this.#list.model)) return;
    this.#addFairly({ ...common, ...this.#acceptance(strange, field, what) });
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
  #refusal(problems: readonly Problem[], data: unknown): Expectation {
    const [first] = problems;
    const code = this.#list.fault("badInput");
    const isDocumented = first?.kind === "absent" || first?.kind === "empty";
    const isOfField =
      !isHeldToEachForm(this.#method, this.#list.model) &&
      isTold(this.#method, data) &&
      (!isStored(this.#method) || problems.every(({ at }) => at === first?.at)) &&
      problems.every(({ kind, at }) => kind !== "group" && kind !== "form" && at !== "");
    return {
      kind: "error",
      codes: [code],
      ...(isDocumented ? documentedIn(this.#method, code) : {}),
      ...(first !== undefined && isOfField ? { field: first.at } : {}),
    };
  }

  /** How a payload that fits is answered, whose changed values may stand for things that nobody knows. */
  #acceptance(
    strange: { readonly samples: readonly string[]; readonly free: boolean },
    field: FieldModel | undefined,
    what: string,
  ): { readonly level: Level; readonly expect: Expectation } {
    const isPlain =
      field !== undefined &&
      isPlainPositive(what) &&
      (what === "absent" || ownDecisions(field, this.#list.suite).length === 0);
    const level = isPlain ? "document" : "decisions";
    if (strange.samples.length > 0) {
      const codes = strange.free ? [] : this.#absentCodes(strange.samples);
      if (codes.length === 0) return { level: "decisions", expect: { kind: "answered" } };
      return { level: "decisions", expect: { kind: "error", codes } };
    }
    return strange.free
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

/**
 * Of a standard interface: params that are no object are a matter of the protocol; where they are written by position, a
 * top-level `null` means what a position cannot say by being left out.
 */
function isOfProtocol({ parts }: Mutation, { transport }: MethodEntry): boolean {
  if (transport.kind !== "json-rpc") return false;
  return parts.some(
    ([path, value]) =>
      path.length === 0 ||
      (transport.params === "by-position" && path.length === 1 && (value === null || value === absent)),
  );
}

/** Whether a body shows which method it is for. */
function isTold({ transport }: MethodModel, data: unknown): boolean {
  if (transport.kind !== "flat" || !isJsonObject(data)) return true;
  const only = new Map(Object.entries(transport.only ?? {}));
  return Object.entries(data).some(([name, value]) => {
    const held = only.get(name);
    return transport.selectedBy.includes(name) && (held === undefined || holds(held, value));
  });
}

function holds(held: HeldValue, value: unknown): boolean {
  if ("oneOf" in held) return held.oneOf.some((one) => one === value);
  if (Array.isArray(value)) return held.type === "array";
  return value !== null && typeof value === held.type;
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

/** What makes a field required that is not always: only then somebody looks at it. */
function conditionOf({ presence }: FieldModel, path: JsonPath): readonly Edit[] {
  if (presence.kind !== "required-when") return [];
  const at = pointerOf([...path.slice(0, -1), presence.field]);
  return [{ op: "set", at, value: presence.values[0] }];
}

/** What is said in so many words: a value of an enum, something left out that may be. */
function isPlainPositive(what: string): boolean {
  return /^(?:value |absent|true$|false$)/.test(what);
}

function levelOfProblem({ kind, field, at }: Problem, method: MethodModel, shape: ObjectTypeShape): Level {
  if (method.section === undefined) return "decisions";
  if (kind === "absent") return "document";
  if (kind === "group") {
    const grouped = [...shape.atLeastOneOf, ...shape.exactlyOneOf].flat();
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

/** Changed parts whose value means something that the service may not know: samples, keys, texts that have an example. */
function strangeParts(
  parts: Mutation["parts"],
  shape: ObjectTypeShape,
  model: ServiceModel,
): { readonly samples: readonly string[]; readonly free: boolean } {
  const samples: string[] = [];
  let free = false;
  for (const [path, value] of parts) {
    if (value === absent || isPlaced(value)) continue;
    for (const field of fieldsAlong(path, shape, model)) {
      const sample = field.identifies ?? field.refersTo;
      if (sample !== undefined) samples.push(sample);
      // Only looked up under a condition, or together with what it has to agree with.
      if (sample !== undefined && field.presence.kind !== "required") free = true;
      const shape = resolve(model, field.shape);
      if (shape.kind === "string" && (shape.format === "pem" || field.example !== undefined)) free = true;
    }
    if (hasStrangeFields(path, shape, model)) free = true;
  }
  return { samples, free };
}

/** Whether an amount is changed that has an example: any other one may be refused, or change what later cases read. */
function movesMoney(parts: Mutation["parts"], shape: ObjectTypeShape, model: ServiceModel): boolean {
  return parts.some(([path, value]) => {
    const field = fieldsAlong(path, shape, model).at(-1);
    if (value === absent || field?.example === undefined) return false;
    return resolve(model, field.shape).kind === "money";
  });
}

/** Whether an amount has more digits than every JSON reader keeps (D-37): no schema says that. */
function hasTooManyDigits(
  parts: Mutation["parts"],
  field: FieldModel | undefined,
  model: ServiceModel,
): boolean {
  if (field === undefined || resolve(model, field.shape).kind !== "money") return false;
  return parts.some(
    ([, value]) => typeof value === "number" && String(value).replaceAll(/\D/g, "").length > 15,
  );
}

/** Whether a value holds nothing but placeholders. */
function isPlaced(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isPlaced);
  return typeof value === "string" && /^\{\{.*\}\}$/.test(value);
}

/** Whether a whole object was replaced in which some fields are samples. */
function hasStrangeFields(path: JsonPath, shape: ObjectTypeShape, model: ServiceModel): boolean {
  const end = fieldsAlong(path, shape, model).at(-1);
  if (end === undefined) return false;
  const resolved = resolve(model, end.shape);
  const object = resolved.kind === "array" ? resolve(model, resolved.items) : resolved;
  if (object.kind !== "object") return false;
  return object.fields.some(
    (field) => field.identifies !== undefined || field.refersTo !== undefined || field.example !== undefined,
  );
}

/** The fields that a path goes through. */
export function fieldsAlong(path: JsonPath, shape: Shape, model: ServiceModel): readonly FieldModel[] {
  const fields: FieldModel[] = [];
  let at: Shape | undefined = shape;
  for (const step of path) {
    const resolved: Shape | undefined = at === undefined ? undefined : resolve(model, at);
    if (resolved?.kind === "array") at = resolved.items;
    else if (resolved?.kind === "object") {
      const field: FieldModel | undefined = resolved.fields.find(({ name }) => name === step);
      if (field === undefined) return fields;
      fields.push(field);
      at = field.shape;
    } else return fields;
  }
  return fields;
}

/** Every field that a value has, inner ones too, and where. Of a list, those of its first item. */
export function fieldsOf(
  shape: Shape,
  value: unknown,
  model: ServiceModel,
  path: JsonPath = [],
): readonly { readonly field: FieldModel; readonly path: JsonPath }[] {
  const resolved = resolve(model, shape);
  const here = partAt(value, path);
  if (resolved.kind === "array")
    return Array.isArray(here) && here.length > 0 ? fieldsOf(resolved.items, value, model, [...path, 0]) : [];
  if (resolved.kind !== "object" || !isJsonObject(here)) return [];
  return resolved.fields.flatMap((field) => {
    const at = [...path, field.name];
    if (partAt(value, at) === absent) return [];
    return [{ field, path: at }, ...fieldsOf(field.shape, value, model, at)];
  });
}

/** The samples that a value of an example stands for. */
type KnownIdentifiers = ReadonlyMap<unknown, readonly string[]>;

/** Identifiers that successful examples use: in other examples they mean something that is there. */
export const knownIdentifiers = oncePer(identifiersOf);

function identifiersOf(model: ServiceModel): KnownIdentifiers {
  const known = new Map<unknown, string[]>();
  for (const method of model.methods) {
    for (const { payload, result } of method.examples) {
      if (result === undefined) continue;
      for (const { shape } of formsOf(method.payload)) {
        for (const { field, path } of fieldsOf(shape, payload, model)) {
          const sample = field.identifies ?? field.refersTo;
          if (sample === undefined) continue;
          const value = partAt(payload, path);
          for (const each of Array.isArray(value) ? value : [value])
            known.set(each, [...(known.get(each) ?? []), sample]);
        }
      }
    }
  }
  return known;
}

/** An example with samples in place of known identifiers. */
function withSamples(
  payload: unknown,
  method: MethodModel,
  known: KnownIdentifiers,
  model: ServiceModel,
): unknown {
  const form = formFor(payload, method, model);
  if (form === undefined) return payload;
  let changed = payload;
  for (const { field, path } of fieldsOf(form.shape, payload, model)) {
    const sample = field.identifies ?? field.refersTo;
    if (sample === undefined) continue;
    const value = partAt(payload, path);
    const replaced = (each: unknown) => (known.has(each) ? `{{${sample}}}` : each);
    changed = replacedAt(changed, path, Array.isArray(value) ? value.map(replaced) : replaced(value));
  }
  return changed;
}

/** Whether an example is about an object that no sample stands for: one that another field made, in another state. */
function isAboutOther(
  { payload }: ExampleModel,
  method: MethodModel,
  known: KnownIdentifiers,
  model: ServiceModel,
): boolean {
  const form = formFor(payload, method, model);
  return fieldsOf(form?.shape ?? { kind: "string" }, payload, model).some(({ field, path }) => {
    const samples = known.get(partAt(payload, path));
    return field.identifies !== undefined && samples !== undefined && !samples.includes(field.identifies);
  });
}

/** The form of a method that a payload has; the first where it has none. */
function formFor(
  payload: unknown,
  method: MethodModel,
  model: ServiceModel,
): { readonly shape: ObjectTypeShape } | undefined {
  const reading = { direction: "request", resolve: (shape: Shape) => resolve(model, shape) } as const;
  const forms = formsOf(method.payload);
  return forms.find(({ shape }) => problemsOf(shape, payload, reading).length === 0) ?? forms[0];
}
