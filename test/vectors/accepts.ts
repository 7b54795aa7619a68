import type {
  ArrayShape,
  FieldModel,
  FormModel,
  NumberShape,
  ObjectTypeShape,
  PayloadModel,
  Shape,
  StringShape,
} from "../../generator/model/service-model.ts";
import { formatAccepts } from "./format-accepts.ts";

export interface Reading {
  readonly direction: "request" | "response";
  /** A shape with references followed to their end. */
  resolve(shape: Shape): Exclude<Shape, { kind: "ref" }>;
}

/**
 * Whether a JSON value fits a shape, read straight from the model: what the vectors expect of the validators and of
 * the zod schemas, and on purpose a third way to get there. Slow and plain.
 */
export function accepts(shape: Shape, value: unknown, reading: Reading): boolean {
  const resolved = reading.resolve(shape);
  switch (resolved.kind) {
    case "string":
      return typeof value === "string" && acceptsString(resolved, value);
    case "number":
    case "integer":
    case "money":
      return typeof value === "number" && acceptsNumber(resolved, value);
    case "boolean":
      return typeof value === "boolean" && (resolved.const ?? value) === value;
    case "enum":
      return resolved.values.some((allowed) => allowed.value === value);
    case "array":
      return Array.isArray(value) && acceptsArray(resolved, value, reading);
    case "object":
      return isJsonObject(value) && acceptsObject(resolved, value, reading);
  }
}

/** Whether a JSON value is a payload that validation lets through to the handler. */
export function acceptsPayload(payload: PayloadModel, value: unknown, reading: Reading): boolean {
  if (payload.kind === "single") return accepts(payload.shape, value, reading);
  const { forms, selectedBy } = payload;
  if (!isJsonObject(value)) return false;
  const own = new Map(Object.entries(value));
  if (selectedBy !== "stored") {
    const chosen = forms.filter((form) =>
      accepts(selectorOf(form, selectedBy), own.get(selectedBy), reading),
    );
    return chosen.length > 0 && chosen.every((form) => accepts(form.shape, value, reading));
  }
  const fieldFits = ([name, part]: [string, unknown]) => {
    const fields = forms.flatMap((form) => form.shape.fields.filter((field) => field.name === name));
    return fields.length === 0 || fields.some((field) => accepts(field.shape, part, reading));
  };
  return forms.some((form) => accepts(form.shape, value, reading)) && Object.entries(value).every(fieldFits);
}

/** The names under which a field travels: in what the service sends it may have two (D-12). */
export function wireNames({ name, alsoSentAs }: FieldModel, reading: Reading): readonly string[] {
  return reading.direction === "request" || alsoSentAs === undefined ? [name] : [name, alsoSentAs];
}

function selectorOf(form: FormModel, name: string): Shape {
  const field = form.shape.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`form ${form.name} has no field ${name}`);
  return field.shape;
}

function acceptsString(shape: StringShape, value: string): boolean {
  const codePoints = Array.from(value).length;
  return (
    (shape.const ?? value) === value &&
    codePoints >= (shape.lengthMin ?? 0) &&
    codePoints <= (shape.lengthMax ?? Infinity) &&
    (shape.format === undefined || formatAccepts(shape.format, value)) &&
    (shape.pattern === undefined || new RegExp(shape.pattern, "u").test(value))
  );
}

function acceptsNumber(shape: NumberShape, value: number): boolean {
  const most = shape.kind === "money" ? 999_999_999_999_999 : Infinity;
  return (
    Number.isFinite(value) &&
    (shape.kind !== "integer" || Number.isInteger(value)) &&
    (shape.const ?? value) === value &&
    value >= (shape.minimum ?? -most) &&
    value <= (shape.maximum ?? most)
  );
}

function acceptsArray(shape: ArrayShape, items: readonly unknown[], reading: Reading): boolean {
  const distinct = new Set(items.map((item) => JSON.stringify(sorted(item))));
  return (
    items.length >= (shape.itemsMin ?? 0) &&
    items.length <= (shape.itemsMax ?? Infinity) &&
    (!shape.unique || distinct.size === items.length) &&
    items.every((item) => accepts(shape.items, item, reading))
  );
}

function acceptsObject(shape: ObjectTypeShape, value: object, reading: Reading): boolean {
  const own = new Map<string, unknown>(Object.entries(value));
  const has = (name: string) => own.has(name);
  return (
    shape.fields.every((field) => acceptsField(field, own, reading)) &&
    shape.atLeastOneOf.every((group) => group.some(has)) &&
    shape.exactlyOneOf.every((group) => group.filter(has).length === 1)
  );
}

function acceptsField(field: FieldModel, own: ReadonlyMap<string, unknown>, reading: Reading): boolean {
  const isRequired = isRequiredIn(field, own);
  return wireNames(field, reading).every((name) => {
    if (!own.has(name)) return !isRequired;
    const value = own.get(name);
    const isEmpty = value === "" && isRequired && reading.direction === "request";
    return accepts(field.shape, value, reading) && !(isEmpty && !mayBeEmpty(field, reading));
  });
}

function isRequiredIn({ presence }: FieldModel, own: ReadonlyMap<string, unknown>): boolean {
  if (presence.kind !== "required-when") return presence.kind === "required";
  return presence.values.some((value) => value === own.get(presence.field));
}

/** Whether the spec itself allows the empty string; otherwise it counts as missing (D-14). */
function mayBeEmpty(field: FieldModel, reading: Reading): boolean {
  const shape = reading.resolve(field.shape);
  return shape.kind !== "string" || shape.lengthMin === 0 || shape.const === "";
}

function isJsonObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same value with properties in name order, so that equal values have equal texts; `-0` is `0`. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const properties = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { properties: properties.map(([name, part]) => [name, sorted(part)]) };
}
