import type { ExampleModel, MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { payloadShapes, readingOf } from "../../model/index.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";

/** The examples of a method; where the spec has none, one that is made of its types. */
export function examplesOf(method: MethodModel, model: ServiceModel): readonly ExampleModel[] {
  return method.examples.length > 0 ? method.examples : [madeExample(method, model)];
}

/** The payload of the first example that succeeds. */
export function payloadOf(method: MethodModel, model: ServiceModel): unknown {
  const example = method.examples.find(({ result }) => result !== undefined);
  return (example ?? madeExample(method, model)).payload;
}

function madeExample({ payload, result }: MethodModel, model: ServiceModel): ExampleModel {
  const [first] = payloadShapes(payload);
  const made = (shape: Shape | undefined, direction: SampleReading["direction"]): unknown =>
    shape === undefined ? {} : instanceOf(shape, "minimal", plainReading(model, direction));
  return { name: "Smallest request", payload: made(first, "request"), result: made(result, "response") };
}

/** Makes values of the interface's types; a field's own example where it has one. */
export function plainReading(model: ServiceModel, direction: SampleReading["direction"]): SampleReading {
  return readingOf(model, direction, (field) => field.example);
}
