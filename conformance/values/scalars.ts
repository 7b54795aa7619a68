import type { NumberShape, StringShape } from "../suite/shape.ts";
import { stringFormats } from "../suite/string-formats.ts";
import { formatAccepts } from "./formats.ts";
import type { ProblemKind } from "./problem.ts";

export function stringProblems(
  shape: StringShape,
  value: string,
  add: (kind: ProblemKind, expected: string) => void,
): void {
  if ((shape.const ?? value) !== value) add("value", JSON.stringify(shape.const));
  if (shape.lengthMin !== undefined && charactersOf(value) < shape.lengthMin)
    add("length", `at least ${shape.lengthMin} characters`);
  if (shape.lengthMax !== undefined && charactersOf(value) > shape.lengthMax)
    add("length", `at most ${shape.lengthMax} characters`);
  if (shape.format !== undefined && !formatAccepts(shape.format, value))
    add("format", stringFormats[shape.format]);
  if (shape.pattern !== undefined && !new RegExp(shape.pattern, "u").test(value))
    add("pattern", `a match of ${shape.pattern}`);
}

/** The number of characters, as JSON Schema counts them: a pair of surrogates is one. Texts may be long. */
export function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

export function numberProblems(
  shape: NumberShape,
  value: number,
  add: (kind: ProblemKind, expected: string) => void,
): void {
  const most = shape.kind === "money" ? 999_999_999_999_999 : Infinity;
  const minimum = shape.minimum ?? -most;
  const maximum = shape.maximum ?? most;
  if (!Number.isFinite(value)) add("value", "a finite number");
  if (isWhole(shape) && !Number.isInteger(value)) add("type", "an integer");
  if ((shape.const ?? value) !== value) add("value", String(shape.const));
  if (value < minimum) add("range", `at least ${minimum}`);
  if (value > maximum) add("range", `at most ${maximum}`);
  if (value <= (shape.above ?? -Infinity)) add("range", `more than ${shape.above}`);
  if (value >= (shape.below ?? Infinity)) add("range", `less than ${shape.below}`);
}

export function significantDigits(value: number): number {
  const [mantissa = ""] = Math.abs(value).toExponential().split("e");
  return mantissa.replace(".", "").length;
}

export function isWhole({ kind }: NumberShape): boolean {
  return kind === "integer" || kind === "bigint";
}
