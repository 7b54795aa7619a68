import { documentedIn, type Draft, slug } from "../../../conformance/cases/draft.ts";
import { fieldsOf, isUnused } from "../../../conformance/cases/fields.ts";
import { payloadShapes } from "../../../conformance/suite/methods.ts";
import { exampleGroup } from "../../../conformance/cases/all-cases.ts";
import { withinDocument } from "../../../conformance/cases/within-document.ts";
import type { Expectation } from "../../../conformance/suite/case.ts";
import type { MethodEntry } from "../../../conformance/suite/suite.ts";
import {
  partAt,
  problemsOf,
  replacedAt,
  type ObjectShape,
  type Reading,
} from "../../../conformance/values/index.ts";
import type { ExampleModel, MethodModel } from "../../model/service-model.ts";
import type { CaseList } from "./case-list.ts";

/** The examples of every operation, with samples where they have identifiers of objects that are meant to be there. */
export function exampleCases(list: CaseList): void {
  const known = knownIdentifiers(list);
  for (const method of list.model.methods) {
    // A notification has no answer, so its parameters cannot be checked.
    if (method.transport.notify === "only") continue;
    addExamples(method, list, known);
  }
}

function addExamples(method: MethodModel, list: CaseList, known: KnownIdentifiers): void {
  const entry = list.entryOf(method);
  for (const example of method.examples) {
    const payload = withSamples(example.payload, entry, known, list.reading);
    const taken = namesSomethingNew(example, entry, list);
    const isLate = example.error !== undefined && example.error !== list.fault("badInput");
    // How many items a list has differs from service to service.
    if (example.error !== undefined && example.error === method.paging?.empty) continue;
    if (isLate && (taken || isAboutOther(example, entry, known, list.reading))) continue;
    const expect: Expectation =
      example.error === undefined
        ? { kind: "result" }
        : { kind: "error", codes: [example.error], ...documentedIn(entry, example.error) };
    const draft: Draft = {
      method: method.name,
      name: [exampleGroup, slug(example.name)],
      title: `example: ${example.name}`,
      level: example.error === undefined || "documented" in expect ? "document" : "decisions",
      stated: [entry],
      request: { payload },
      expect,
    };
    const shape = formFor(payload, entry, list.reading);
    const ground = { suite: list.suite, entry, reading: list.reading };
    list.add(shape === undefined ? draft : withinDocument(draft, shape, ground));
  }
}

/** The samples that a value of an example stands for. */
type KnownIdentifiers = ReadonlyMap<unknown, readonly string[]>;

/** Identifiers that successful examples use: in other examples they mean something that is there. */
function knownIdentifiers(list: CaseList): KnownIdentifiers {
  const known = new Map<unknown, readonly string[]>();
  for (const method of list.model.methods) {
    const found = identifiersIn(list.entryOf(method), list.reading);
    for (const [value, sample] of found) known.set(value, [...(known.get(value) ?? []), sample]);
  }
  return known;
}

type Identifiers = readonly (readonly [value: unknown, sample: string])[];

function identifiersIn(entry: MethodEntry, { resolve }: Reading): Identifiers {
  return (entry.examples ?? []).flatMap((payload) =>
    payloadShapes(entry.payload).flatMap((shape) =>
      fieldsOf(shape, payload, resolve).flatMap(({ field, path }) => {
        const sample = field.identifies ?? field.refersTo;
        if (sample === undefined) return [];
        const value = partAt(payload, path);
        return (Array.isArray(value) ? value : [value]).map((each) => [each, sample] as const);
      }),
    ),
  );
}

/** An example with samples in place of known identifiers. */
function withSamples(
  payload: unknown,
  entry: MethodEntry,
  known: KnownIdentifiers,
  reading: Reading,
): unknown {
  const shape = formFor(payload, entry, reading);
  if (shape === undefined) return payload;
  let changed = payload;
  for (const { field, path } of fieldsOf(shape, payload, reading.resolve)) {
    const sample = field.identifies ?? field.refersTo;
    if (sample === undefined) continue;
    const value = partAt(payload, path);
    const replaced = (each: unknown) => (known.has(each) ? `{{${sample}}}` : each);
    changed = replacedAt(changed, path, Array.isArray(value) ? value.map(replaced) : replaced(value));
  }
  return changed;
}

/** Whether an example names what an operation is to make: whether it is there already differs from service to service. */
function namesSomethingNew(
  { payload }: ExampleModel,
  entry: MethodEntry,
  { suite, reading }: CaseList,
): boolean {
  const shape = formFor(payload, entry, reading);
  if (shape === undefined) return false;
  return fieldsOf(shape, payload, reading.resolve).some(({ field }) => {
    const sample = field.identifies ?? field.refersTo;
    return sample !== undefined && isUnused(sample, suite);
  });
}

/** Whether an example is about an object that no sample stands for: one that another field made, in another state. */
function isAboutOther(
  { payload }: ExampleModel,
  entry: MethodEntry,
  known: KnownIdentifiers,
  reading: Reading,
): boolean {
  const shape = formFor(payload, entry, reading) ?? { kind: "string" };
  return fieldsOf(shape, payload, reading.resolve).some(({ field, path }) => {
    const samples = known.get(partAt(payload, path));
    return field.identifies !== undefined && samples !== undefined && !samples.includes(field.identifies);
  });
}

/** The form of a method that a payload has; the first where it has none. */
function formFor(payload: unknown, entry: MethodEntry, reading: Reading): ObjectShape | undefined {
  const shapes = payloadShapes(entry.payload);
  return shapes.find((shape) => problemsOf(shape, payload, reading).length === 0) ?? shapes[0];
}
