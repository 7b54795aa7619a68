import type { ObjectTypeShape, PayloadModel } from "../../model/index.ts";

/** The objects that a payload may be: one for each form. */
export function payloadShapes(payload: PayloadModel): readonly ObjectTypeShape[] {
  return payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
}
