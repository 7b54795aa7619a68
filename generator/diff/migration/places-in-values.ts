import { resolve, typeOf, type ServiceModel, type Shape } from "../../model/index.ts";
import { absent, partAt, replacedAt } from "../../../conformance/values/index.ts";

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The way from the top of a value: names of fields, and 0 for the first item of an array. */
export type ValuePath = readonly (string | 0)[];

/** The shortest way to a value of a named type; undefined where none is part of the shape. */
export function wayToType(model: ServiceModel, shape: Shape, type: string): ValuePath | undefined {
  const seen = new Set<string>();
  let open: readonly { readonly shape: Shape; readonly way: ValuePath }[] = [{ shape, way: [] }];
  while (open.length > 0) {
    const found = open.find((each) => each.shape.kind === "ref" && each.shape.type === type);
    if (found !== undefined) return found.way;
    open = open.flatMap(({ shape: at, way }) =>
      inner(model, at, seen).map((each) => ({ shape: each.shape, way: [...way, ...each.way] })),
    );
  }
  return undefined;
}

function inner(
  model: ServiceModel,
  shape: Shape,
  seen: Set<string>,
): readonly { readonly shape: Shape; readonly way: ValuePath }[] {
  switch (shape.kind) {
    case "ref":
      if (seen.has(shape.type)) return [];
      seen.add(shape.type);
      return [{ shape: typeOf(model, shape).shape, way: [] }];
    case "array":
      return [{ shape: shape.items, way: [0] }];
    case "object":
      return shape.fields.map((field) => ({ shape: field.shape, way: [field.name] }));
    default:
      return [];
  }
}

/** The shape at the end of a way. */
export function shapeAt(model: ServiceModel, shape: Shape, [first, ...rest]: ValuePath): Shape | undefined {
  if (first === undefined) return shape;
  const at = resolve(model, shape);
  if (at.kind === "array" && first === 0) return shapeAt(model, at.items, rest);
  if (at.kind !== "object") return undefined;
  const field = at.fields.find(({ name }) => name === first);
  return field === undefined ? undefined : shapeAt(model, field.shape, rest);
}

export function valueAt(value: unknown, way: ValuePath): unknown {
  return partAt(value, way);
}

/** The value with something put at the end of a way, which is made where it is missing. */
export function withValueAt(value: unknown, [first, ...rest]: ValuePath, put: unknown): unknown {
  if (first === undefined) return put;
  if (first === 0) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return [withValueAt(items[0], rest, put), ...items.slice(1)];
  }
  const held = isRecord(value) ? value : {};
  return { ...held, [first]: withValueAt(held[first], rest, put) };
}

export function withoutValueAt(value: unknown, way: ValuePath): unknown {
  return valueAt(value, way) === undefined ? value : replacedAt(value, way, absent);
}
