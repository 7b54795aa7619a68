import { accepts, isJsonObject, problemsOf, type Problem } from "../../../conformance/values/index.ts";
import { oncePer } from "../../source/once-per.ts";
import { resolve } from "../../model/resolve.ts";
import type { EventModel, ServiceModel } from "../../model/service-model.ts";
import { readingOf, sampleOf, type AnswerOptions } from "../answers.ts";

/** Where the values of an event's payload come from, after the spec's examples: the later of these wins. */
export interface PayloadSources {
  /** Tells events of one kind apart. */
  readonly sampleKey: string;
  /** The fields of such an object in the spec's examples: `exampleFields` of the event. */
  readonly examples: object;
  /** The result of the call that caused it: what it says of the same object is taken from it. */
  readonly result?: unknown;
  /** Fields that the trigger names; an object within changes only what it names. */
  readonly wanted?: object;
}

/** A payload that fits the event's type, or what of `wanted` does not. */
export function payloadOf(
  event: EventModel,
  { sampleKey, examples, result, wanted = {} }: PayloadSources,
  options: AnswerOptions,
): { readonly payload: unknown } | { readonly problems: readonly Problem[] } {
  const { model } = options;
  const sample = sampleOf(options, event.payload, [event.name, sampleKey]);
  const payload = merged(
    { ...Object(sample), ...examples, ...sameFields(event, objectsIn(result), model) },
    wanted,
  );
  const problems = problemsOf(event.payload, payload, readingOf(model));
  return problems.length === 0 ? { payload } : { problems };
}

/** The fields of an event's payload as the examples of the methods' results have them. */
export function exampleFields(event: EventModel, model: ServiceModel): object {
  return sameFields(event, objectsInExamples(model), model);
}

const objectsInExamples = oncePer((model: ServiceModel) =>
  objectsIn(model.methods.flatMap((method) => method.examples.map((example) => example.result))),
);

/** Fewer names in common are chance. */
const sharedMin = 2;

/** The fields of the payload as that of the objects has them which shares most of them. */
function sameFields(event: EventModel, objects: readonly object[], model: ServiceModel): object {
  const shape = resolve(model, event.payload);
  if (shape.kind !== "object") return {};
  const fields = new Map(shape.fields.map((field) => [field.name, field.shape]));
  const places = placesByName(objects);
  const named = new Map<number, number>();
  for (const name of fields.keys())
    for (const { at } of places.get(name) ?? []) named.set(at, (named.get(at) ?? 0) + 1);
  const byCount = Map.groupBy(named.keys(), (at) => named.get(at) ?? 0);
  let most: readonly (readonly [string, unknown])[] = [];
  for (let count = fields.size; count >= sharedMin && count > most.length; count -= 1) {
    for (const at of byCount.get(count) ?? []) {
      const shared = Object.entries(objects[at] ?? {}).filter(([name, part]) => {
        const own = fields.get(name);
        return own !== undefined && accepts(own, part, readingOf(model));
      });
      if (shared.length > most.length) most = shared;
      if (most.length === count) break;
    }
  }
  return most.length < sharedMin ? {} : Object.fromEntries(most);
}

/** Which of the objects have a member of each name. */
const placesByName = oncePer((objects: readonly object[]) =>
  Map.groupBy(
    objects.flatMap((object, at) => Object.keys(object).map((name) => ({ name, at }))),
    ({ name }) => name,
  ),
);

/** The objects in a value, itself included, the outer ones first. */
function objectsIn(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** A value with the fields of another in place of its own, level by level. */
function merged(value: object, wanted: object): object {
  const own = new Map<string, unknown>(Object.entries(value));
  for (const [name, part] of Object.entries(wanted)) {
    const present = own.get(name);
    own.set(name, isJsonObject(present) && isJsonObject(part) ? merged(present, part) : part);
  }
  return Object.fromEntries(own);
}
