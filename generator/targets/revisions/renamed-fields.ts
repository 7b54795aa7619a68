import { payloadShapes } from "../../model/resolve.ts";
import { pairFields } from "../../diff/index.ts";
import { resolve, type MethodModel, type Shape } from "../../model/index.ts";
import type { Conversions } from "./conversions.ts";

/** More places of a payload are not looked at: types may hold each other in ever more ways. */
const placesMax = 500;

interface Pair {
  readonly was: Shape;
  readonly is: Shape;
  readonly pointer: string;
  /** The later types around it: none is entered twice. */
  readonly within: readonly string[];
}

/**
 * Pointers to renamed fields of the later payload, with `*` for an index, each with its earlier name. A fault that
 * the later revision finds is then reported for the field that the caller sent.
 */
export function renamedFields(
  { old, new: recent }: Conversions,
  before: MethodModel,
  now: MethodModel,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open: Pair[] = payloadShapes(before.payload).flatMap((was) =>
    payloadShapes(now.payload).map((is) => ({ was, is, pointer: "", within: [] })),
  );
  // The outermost first: `open` grows while it is gone through.
  for (const { was, is, pointer, within } of open) {
    const [oldShape, newShape] = [resolve(old, was), resolve(recent, is)];
    const type = is.kind === "ref" ? [is.type] : [];
    if (open.length > placesMax || type.some((name) => within.includes(name))) continue;
    const inside = [...within, ...type];
    if (oldShape.kind === "array" && newShape.kind === "array")
      open.push({ was: oldShape.items, is: newShape.items, pointer: `${pointer}/*`, within: inside });
    if (oldShape.kind !== "object" || newShape.kind !== "object") continue;
    for (const pair of pairFields(oldShape, newShape).pairs) {
      const at = `${pointer}/${pointerName(pair.new.name)}`;
      if (pair.old.name !== pair.new.name) found.set(at, pointerName(pair.old.name));
      open.push({ was: pair.old.shape, is: pair.new.shape, pointer: at, within: inside });
    }
  }
  return found;
}

/** A name as it stands in a JSON Pointer (RFC 6901). */
function pointerName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
