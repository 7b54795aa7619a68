import { shapeParts } from "../spec/shape-parts.ts";
import { resolve } from "./resolve.ts";
import type { ServiceModel, Shape } from "./service-model.ts";

/** Whether a value of the shape may hold a `bigint`, however deep. Each shape is looked at once. */
export function holdsBigint(model: ServiceModel, shape: Shape, seen: Set<Shape> = new Set()): boolean {
  const found = resolve(model, shape);
  if (found.kind === "bigint") return true;
  if (seen.has(found)) return false;
  seen.add(found);
  return shapeParts(found).some((part) => holdsBigint(model, part, seen));
}
