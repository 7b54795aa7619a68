import { pairFields } from "../../diff/index.ts";
import {
  resolve,
  type MethodModel,
  type ObjectTypeShape,
  type PayloadModel,
  type Shape,
} from "../../model/index.ts";
import type { Conversions } from "./conversions.ts";

/** Deeper than this no field is looked for: types may hold themselves. */
const depthMax = 12;

/**
 * Where fields of another name stand in the later payload, as JSON Pointers with `*` for an index, each with its
 * earlier name: so that what the later revision finds wrong is said of the field that the caller has sent.
 */
export function renamedFields(
  { old, new: recent }: Conversions,
  before: MethodModel,
  now: MethodModel,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (was: Shape, is: Shape, pointer: string, depth: number): void => {
    const [oldShape, newShape] = [resolve(old, was), resolve(recent, is)];
    if (depth > depthMax) return;
    if (oldShape.kind === "array" && newShape.kind === "array")
      visit(oldShape.items, newShape.items, `${pointer}/*`, depth + 1);
    if (oldShape.kind !== "object" || newShape.kind !== "object") return;
    for (const pair of pairFields(oldShape, newShape).pairs) {
      const at = `${pointer}/${pair.new.name}`;
      if (pair.old.name !== pair.new.name) found.set(at, pair.old.name);
      visit(pair.old.shape, pair.new.shape, at, depth + 1);
    }
  };
  for (const was of shapesOf(before.payload)) for (const is of shapesOf(now.payload)) visit(was, is, "", 0);
  return found;
}

function shapesOf(payload: PayloadModel): readonly ObjectTypeShape[] {
  return payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
}
