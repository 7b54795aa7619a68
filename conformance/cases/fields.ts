import type { Mutation, SampleReading } from "../samples/index.ts";
import type { Suite } from "../suite/suite.ts";
import {
  absent,
  type FieldShape,
  isJsonObject,
  type JsonPath,
  type ObjectShape,
  partAt,
  type Reading,
  type Shape,
  stepsOf,
} from "../values/index.ts";

/**
 * Reads requests of a method and makes values for them: samples, else the field's example, else the value of a
 * successful example of the method.
 */
export function requestReading(
  examples: readonly unknown[],
  { resolve }: Pick<SampleReading, "resolve">,
): SampleReading {
  return {
    direction: "request",
    resolve,
    given(field, at) {
      const sample = field.identifies ?? field.refersTo;
      if (sample !== undefined) return inPlace(resolve(field.shape), `{{${sample}}}`);
      if (field.example !== undefined) return field.example;
      const shape = resolve(field.shape);
      if (shape.kind === "object" || shape.kind === "array") return undefined;
      if (shape.kind === "string" && shape.const !== undefined) return shape.const;
      const path = stepsOf(at);
      return examples.map((payload) => partAt(payload, path)).find((part) => part !== undefined);
    },
  };
}

export function baseName(form: string | undefined, fullness: "minimal" | "maximal"): string {
  return form === undefined ? fullness : `${form} ${fullness}`;
}

/** A sample stands as it is, or as the one item of a list. */
function inPlace(shape: Shape, value: string): unknown {
  return shape.kind === "array" ? [value] : value;
}

type Resolve = Reading["resolve"];

/** The fields that a path goes through. */
export function fieldsAlong(path: JsonPath, shape: Shape, resolve: Resolve): readonly FieldShape[] {
  const fields: FieldShape[] = [];
  let at: Shape | undefined = shape;
  for (const step of path) {
    const resolved: Shape | undefined = at === undefined ? undefined : resolve(at);
    if (resolved?.kind === "array") at = resolved.items;
    else if (resolved?.kind === "object") {
      const field: FieldShape | undefined = resolved.fields.find(({ name }) => name === step);
      if (field === undefined) return fields;
      fields.push(field);
      at = field.shape;
    } else return fields;
  }
  return fields;
}

/** Every field that a value has, inner ones too, and where. For a list, the fields of its first item. */
export function fieldsOf(
  shape: Shape,
  value: unknown,
  resolve: Resolve,
  path: JsonPath = [],
): readonly { readonly field: FieldShape; readonly path: JsonPath }[] {
  const resolved = resolve(shape);
  const here = partAt(value, path);
  if (resolved.kind === "array")
    return Array.isArray(here) && here.length > 0
      ? fieldsOf(resolved.items, value, resolve, [...path, 0])
      : [];
  if (resolved.kind !== "object" || !isJsonObject(here)) return [];
  return resolved.fields.flatMap((field) => {
    const at = [...path, field.name];
    if (partAt(value, at) === undefined) return [];
    return [{ field, path: at }, ...fieldsOf(field.shape, value, resolve, at)];
  });
}

/** Changed parts whose value means something that the service may not know: samples, keys, texts that have an example. */
export function unknownParts(
  parts: Mutation["parts"],
  shape: ObjectShape,
  resolve: Reading["resolve"],
): { readonly samples: readonly string[]; readonly free: boolean } {
  const samples: string[] = [];
  let free = false;
  for (const [path, value] of parts) {
    if (value === absent || isPlaced(value)) continue;
    for (const field of fieldsAlong(path, shape, resolve)) {
      const sample = field.identifies ?? field.refersTo;
      const isNamed = sample !== undefined && namesSomething(value);
      if (isNamed) samples.push(sample);
      // Only looked up under a condition, or together with what it has to agree with.
      if (sample !== undefined && (field.presence.kind !== "required" || !isNamed)) free = true;
      const shape = resolve(field.shape);
      if (shape.kind === "string" && (shape.format === "pem" || field.example !== undefined)) free = true;
    }
    if (hasSampleFields(path, shape, resolve)) free = true;
  }
  return { samples, free };
}

/** Whether an amount is changed that has an example: any other one may be refused, or change what later cases read. */
export function movesMoney(
  parts: Mutation["parts"],
  shape: ObjectShape,
  resolve: Reading["resolve"],
): boolean {
  return parts.some(([path, value]) => {
    const field = fieldsAlong(path, shape, resolve).at(-1);
    if (value === absent || field?.example === undefined) return false;
    return resolve(field.shape).kind === "money";
  });
}

/** Whether an amount has more digits than every JSON reader keeps (D-37): no schema says that. */
export function hasTooManyDigits(
  parts: Mutation["parts"],
  field: FieldShape | undefined,
  resolve: Reading["resolve"],
): boolean {
  if (field === undefined || resolve(field.shape).kind !== "money") return false;
  return parts.some(
    ([, value]) => typeof value === "number" && String(value).replaceAll(/\D/g, "").length > 15,
  );
}

/** Whether a value holds an identifier: null, and a list of nothing else, hold none. */
function namesSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.some(namesSomething) : value !== null;
}

/** Whether a value holds nothing but placeholders. */
function isPlaced(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isPlaced);
  return typeof value === "string" && /^\{\{.*\}\}$/.test(value);
}

/** Whether a whole object was replaced in which some fields are samples. */
function hasSampleFields(path: JsonPath, shape: ObjectShape, resolve: Reading["resolve"]): boolean {
  const end = fieldsAlong(path, shape, resolve).at(-1);
  if (end === undefined) return false;
  const resolved = resolve(end.shape);
  const object = resolved.kind === "array" ? resolve(resolved.items) : resolved;
  if (object.kind !== "object") return false;
  return object.fields.some(
    (field) => field.identifies !== undefined || field.refersTo !== undefined || field.example !== undefined,
  );
}

/** Whether a sample names what is not there yet: its resource is made without a step. */
export function isUnused(sample: string, { resources }: Pick<Suite, "resources">): boolean {
  const resource = resources.find(({ samples }) => samples.includes(sample));
  return resource?.made?.steps.length === 0;
}
