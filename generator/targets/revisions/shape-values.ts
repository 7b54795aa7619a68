import type { NumberShape, Shape } from "../../model/index.ts";

/** The values that a text may have; `any` where nothing is said. */
export type Values = "any" | readonly { readonly value: string; readonly renamedFrom?: string }[];

export function valuesOf(shape: Shape): Values | undefined {
  if (shape.kind === "enum") {
    // Interfaces that serve earlier revisions have no integers here.
    return shape.values.map((each) => ({ ...each, value: String(each.value) }));
  }
  if (shape.kind !== "string") return undefined;
  return shape.const === undefined ? "any" : [{ value: shape.const }];
}

export function isNumber(shape: Shape): shape is NumberShape {
  return shape.kind === "number" || shape.kind === "integer" || shape.kind === "money";
}

export function shapeName(shape: Shape): string {
  return shape.kind === "ref" ? shape.type : shape.kind;
}
