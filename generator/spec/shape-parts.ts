import type { ShapeSpec } from "./spec.ts";

/** How many objects and arrays may stand in one another, or include one another, over all types on the way. */
export const typeDepthMax = 300;

/** The shapes directly inside a shape; what a name refers to is not inside it. */
export function shapeParts(shape: ShapeSpec): readonly ShapeSpec[] {
  switch (shape.kind) {
    case "array":
      return [shape.items];
    case "object":
      return shape.fields.map((field) => field.shape);
    case "map":
      return shape.keys === undefined ? [shape.values] : [shape.keys, shape.values];
    case "tuple":
      return shape.items;
    case "union":
      return shape.alternatives;
    case "tagged":
      return shape.cases.map((each) => each.shape);
    default:
      return [];
  }
}
