import { resolveShape, type EventMemberSpec, type EventSpec, type Scope } from "../language/index.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { documented } from "./documented.ts";
import type { EventMembersModel, FieldModel, ServiceModel, Shape } from "./service-model.ts";
import { shapeOf } from "./shapes.ts";

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
