import type { Expectation } from "../../../conformance/suite/case.ts";
import { namesIn } from "../../../conformance/request/resolve-value.ts";
import { problemsOf } from "../../../conformance/values/index.ts";
import { formsOf, resolve } from "../../model/index.ts";
import type {
  ExampleModel,
  MethodModel,
  ObjectTypeShape,
  ServiceModel,
  Shape,
} from "../../model/service-model.ts";
import { partAt, replacedAt } from "../../samples/index.ts";
import { oncePer } from "../../source/once-per.ts";
import { slug, type CaseList, type Draft } from "./case-list.ts";
import { documentedIn } from "./documented-in.ts";
import { fieldsOf } from "./fields-of.ts";
import { isUnused } from "./unknown-values.ts";
import { withinDocument } from "./within-document.ts";

/** An example of the spec, with samples where it has identifiers of objects that are meant to be there. */
export function exampleCase(example: ExampleModel, method: MethodModel, list: CaseList): void {
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
