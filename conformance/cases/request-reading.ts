import { absent, partAt, type JsonPath, type SampleReading } from "../samples/index.ts";
import type { Shape } from "../values/index.ts";

/**
 * Reads requests of a method and makes values for them: samples, else the field's example, else the value of a
 * successful example of the method.
 */
export function requestReading(
  examples: readonly unknown[],
  { resolve }: Pick<SampleReading, "resolve">,
): SampleReading {
  return {
    direction: "request",
    resolve,
    given(field, at) {
      const sample = field.identifies ?? field.refersTo;
      if (sample !== undefined) return inPlace(resolve(field.shape), `{{${sample}}}`);
      if (field.example !== undefined) return field.example;
      const shape = resolve(field.shape);
      if (shape.kind === "object" || shape.kind === "array") return undefined;
      if (shape.kind === "string" && shape.const !== undefined) return shape.const;
      const path = pathOf(at);
      return examples
        .map((payload) => partAt(payload, path))
        .find((part) => part !== absent && part !== undefined);
    },
  };
}

export function baseName(form: string | undefined, fullness: "minimal" | "maximal"): string {
  return form === undefined ? fullness : `${form} ${fullness}`;
}

export function pointerOf(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A sample stands as it is, or as the one item of a list. */
function inPlace(shape: Shape, value: string): unknown {
  return shape.kind === "array" ? [value] : value;
}

/** A JSON Pointer as a path; steps of digits are indexes. */
function pathOf(pointer: string): JsonPath {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
