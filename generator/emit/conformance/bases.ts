import { formsOf, resolve } from "../../model/index.ts";
import type { FieldModel, MethodModel, ServiceModel } from "../../model/service-model.ts";
import { absent, instanceOf, partAt, type JsonPath, type SampleReading } from "../../samples/index.ts";

/**
 * Payloads to start from: for each form the least and the most that it takes. Values are samples where a field is one,
 * else the field's example, else what a successful example of the method has there, else any that fits.
 */
export function basesOf(method: MethodModel, model: ServiceModel): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    formsOf(method.payload).flatMap(({ name, shape }) => {
      const reading = requestReading(method, model);
      return (["minimal", "maximal"] as const).map((fullness) => [
        baseName(name, fullness),
        instanceOf(shape, fullness, reading),
      ]);
    }),
  );
}

export function baseName(form: string | undefined, fullness: "minimal" | "maximal"): string {
  return form === undefined ? fullness : `${form} ${fullness}`;
}

/** Reads requests of a method, and makes values for them. */
export function requestReading(method: MethodModel, model: ServiceModel): SampleReading {
  const successes = method.examples.filter(({ result }) => result !== undefined);
  return {
    direction: "request",
    resolve: (shape) => resolve(model, shape),
    given(field, at) {
      const sample = field.identifies ?? field.refersTo;
      if (sample !== undefined) return inPlace(field, `{{${sample}}}`);
      if (field.example !== undefined) return field.example;
      const shape = resolve(model, field.shape);
      if (shape.kind === "object" || shape.kind === "array") return undefined;
      if (shape.kind === "string" && shape.const !== undefined) return shape.const;
      const path = pathOf(at);
      return successes
        .map(({ payload }) => partAt(payload, path))
        .find((part) => part !== absent && part !== undefined);
    },
  };
}

/** A sample stands as it is, or as the one item of a list. */
function inPlace(field: FieldModel, value: string): unknown {
  return field.shape.kind === "array" ? [value] : value;
}

/** A JSON Pointer as a path; steps of digits are indexes. */
export function pathOf(pointer: string): JsonPath {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

export function pointerOf(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
