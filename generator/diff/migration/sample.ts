import { accepts } from "../../../conformance/values/index.ts";
import { readingOf, type ServiceModel, type Shape } from "../../model/index.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";

/** A value of a type: the hinted one if it fits, else the spec's example, else a plain value. */
export function sampleOf(model: ServiceModel, shape: Shape, hint?: unknown): unknown {
  if (hint !== undefined && fits(model, shape, hint)) return hint;
  return exampleOf(model, shape) ?? instanceOf(shape, "minimal", requestReading(model));
}

/** Whether a value is of a type, read as in a request. */
export function fits(model: ServiceModel, shape: Shape, value: unknown): boolean {
  return accepts(shape, value, requestReading(model));
}

function requestReading(model: ServiceModel): SampleReading {
  return readingOf(model, "request", (field) => field.example ?? exampleOf(model, field.shape));
}

function exampleOf(model: ServiceModel, shape: Shape): unknown {
  return shape.kind === "ref" ? model.types.find(({ name }) => name === shape.type)?.example : undefined;
}
