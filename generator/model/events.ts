import { resolveShape, type EventMemberSpec, type EventSpec, type Scope } from "../language/index.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { documented } from "./shape.ts";
import type { EventMembersModel, EventModel, FieldModel, ServiceModel, Shape } from "./service-model.ts";
import { shapeOf } from "./shapes.ts";
import { accepts, isJsonObject } from "../../conformance/values/index.ts";
import { oncePer } from "../language/source/once-per.ts";
import { readingOf, resolve } from "./resolve.ts";

/** The members of an event's notification beside those of every one; undefined where it has none. */
export function eventMembers(event: EventSpec, scope: Scope): EventMembersModel | undefined {
  if (event.members.length === 0) return undefined;
  const payload = resolveShape(event.payload, scope);
  const shape = payload === undefined ? undefined : shapeOf(payload, scope);
  const fields = event.members.flatMap((member) => {
    const own =
      shape?.kind === "object" ? shape.fields.find(({ name }) => name === member.repeats?.value) : undefined;
    const field = memberField(member, own);
    return field === undefined ? [] : [field];
  });
  const repeats = event.members.flatMap(({ name, repeats: field }) =>
    field === undefined ? [] : [[name.value, field.value] as const],
  );
  const conditions = event.members.flatMap(({ name, when }) =>
    when === undefined
      ? []
      : [[name.value, { field: when.field.value, values: when.is.map(({ value }) => value) }] as const],
  );
  return omitUndefined({
    shape: { kind: "object", fields, atLeastOneOf: [], exactlyOneOf: [] },
    repeats: Object.fromEntries(repeats),
    when: conditions.length === 0 ? undefined : Object.fromEntries(conditions),
  });
}

function memberField(member: EventMemberSpec, repeated: FieldModel | undefined): FieldModel | undefined {
  const shape = member.constant === undefined ? repeated?.shape : constantShape(member.constant.value);
  if (shape === undefined) return undefined;
  return {
    ...documented(member),
    name: member.name.value,
    shape,
    presence: member.when === undefined ? presenceOf(repeated) : { kind: "optional" },
    spellings: [],
    sensitive: repeated?.sensitive ?? false,
  };
}

function presenceOf(repeated: FieldModel | undefined): FieldModel["presence"] {
  return { kind: (repeated?.presence.kind ?? "required") === "required" ? "required" : "optional" };
}

function constantShape(value: string | number | boolean): Shape {
  if (typeof value === "string") return { kind: "string", const: value };
  if (typeof value === "boolean") return { kind: "boolean", const: value };
  return { kind: Number.isInteger(value) ? "integer" : "number", const: value };
}

/** The members that hold the payloads of notifications, by name of the event, where any is not `payload`. */
export function payloadNames({ events }: ServiceModel): Readonly<Record<string, string>> | undefined {
  const named = events.flatMap(({ name, payloadName }) =>
    payloadName === undefined ? [] : [[name, payloadName] as const],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** The values of an event's further members, with a payload; those that it does not have are absent. */
export function memberValues(
  { members }: ServiceModel["events"][number],
  payload: unknown,
): Readonly<Record<string, unknown>> {
  if (members === undefined) return {};
  const held = new Map<string, unknown>(Object.entries(Object(payload)));
  const values = members.shape.fields.flatMap(({ name, shape }) => {
    const condition = members.when?.[name];
    if (condition?.values.every((value) => value !== held.get(condition.field)) === true) return [];
    const field = members.repeats[name];
    const value = field !== undefined ? held.get(field) : "const" in shape ? shape.const : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
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
