import { baseName, requestReading as readingOver } from "../../../conformance/cases/fields.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";
import { formsOf, resolve } from "../../model/index.ts";
import type { MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";

/** Payloads to start from: for each form the least and the most that it takes. */
export function basesOf(method: MethodModel, model: ServiceModel): Readonly<Record<string, unknown>> {
  const reading = requestReading(method, model);
  return Object.fromEntries(
    formsOf(method.payload).flatMap(({ name, shape }) =>
      (["minimal", "maximal"] as const).map((fullness) => [
        baseName(name, fullness),
        instanceOf(shape, fullness, reading),
      ]),
    ),
  );
}

/** Reads requests of a method, and makes values for them. */
export function requestReading(method: MethodModel, model: ServiceModel): SampleReading {
  return readingOver(successfulPayloads(method), { resolve: (shape: Shape) => resolve(model, shape) });
}

/** The payloads of a method's successful examples. */
export function successfulPayloads({ examples }: MethodModel): readonly unknown[] {
  return examples.filter(({ result }) => result !== undefined).map(({ payload }) => payload);
}
