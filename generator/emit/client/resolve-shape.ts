import type { RefShape, ServiceModel, Shape } from "../../model/service-model.ts";

/** What a shape is in the end, through all names. */
export function resolved(shape: Shape, model: ServiceModel): Exclude<Shape, RefShape> {
  if (shape.kind !== "ref") return shape;
  const type = model.types.find(({ name }) => name === shape.type);
  if (type === undefined) throw new Error(`the model has no type ${shape.type}`);
  return resolved(type.shape, model);
}
