import type { FieldShape, ObjectShape } from "./shape.ts";
import type { PayloadShape } from "./suite.ts";

/** The objects that a payload may be: one for each form. */
export function payloadShapes(payload: PayloadShape): readonly ObjectShape[] {
  return payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
}

/** Fields of all forms of a payload. */
export function payloadFields(payload: PayloadShape): readonly FieldShape[] {
  return payloadShapes(payload).flatMap(({ fields }) => fields);
}
