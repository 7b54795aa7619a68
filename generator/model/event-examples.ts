import { accepts, isJsonObject } from "../../conformance/values/index.ts";
import { oncePer } from "../language/source/once-per.ts";
import { readingOf, resolve } from "./resolve.ts";
import type { EventModel, ServiceModel } from "./service-model.ts";

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
export function sameFields(event: EventModel, objects: readonly object[], model: ServiceModel): object {
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
export function objectsIn(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
