import type { ConstraintSpec, ScalarSpec } from "../spec.ts";
import { formatProblem, isFormattedType } from "../formats.ts";
import { matchesPattern } from "../patterns.ts";

/** Why a value does not fit. */
export interface ValueProblem {
  readonly reason: string;
  readonly suggestion?: string | undefined;
}

type Scalar = string | number | boolean | null;

/** Why a scalar does not fit a scalar type and its constraints; undefined where it does. */
export function constraintProblem(value: Scalar, shape: ScalarSpec): ValueProblem | undefined {
  const reason = typeProblem(value, shape) ?? constraintsProblem(value, shape.constraints);
  return reason === undefined ? undefined : { reason };
}

function typeProblem(value: Scalar, { scalar }: ScalarSpec): string | undefined {
  switch (scalar) {
    case "boolean":
      return typeof value === "boolean" ? undefined : `expected true or false, found ${nameOf(value)}`;
    case "number":
      return typeof value === "number" ? undefined : `expected a number, found ${nameOf(value)}`;
    case "integer":
      return Number.isInteger(value) ? undefined : `expected a whole number, found ${nameOf(value)}`;
    case "money":
      if (typeof value !== "number") return `expected a number, found ${nameOf(value)}`;
      return significantDigits(value) > 15 ? "money has at most 15 significant digits" : undefined;
    default: {
      if (typeof value !== "string") return `expected text, found ${nameOf(value)}`;
      const expected = isFormattedType(scalar) ? formatProblem(scalar, value) : undefined;
      return expected === undefined ? undefined : `${shown(value)} is not ${expected}`;
    }
  }
}

function constraintsProblem(value: Scalar, constraints: readonly ConstraintSpec[]): string | undefined {
  for (const { key, value: bound } of constraints) {
    const problem = constraintReason(value, key, bound);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function constraintReason(value: Scalar, key: string, bound: string | number | boolean): string | undefined {
  if (key === "const") return value === bound ? undefined : `it can only be \`${bound}\``;
  if (typeof value === "string" && typeof bound === "number") {
    const length = [...value].length;
    if (key === "minLength" && length < bound) return `it has ${length} characters, fewer than ${bound}`;
    if (key === "maxLength" && length > bound) return `it has ${length} characters, more than ${bound}`;
  }
  if (typeof value === "string" && key === "pattern" && typeof bound === "string") {
    return matchesPattern(bound, value) ? undefined : `it does not match ${bound}`;
  }
  if (typeof value === "number" && typeof bound === "number") {
    if (key === "minimum" && value < bound) return `${value} is below ${bound}`;
    if (key === "maximum" && value > bound) return `${value} is above ${bound}`;
    if (key === "above" && value <= bound) return `${value} is not above ${bound}`;
    if (key === "below" && value >= bound) return `${value} is not below ${bound}`;
  }
  return undefined;
}

function significantDigits(value: number): number {
  const [mantissa = ""] = Math.abs(value).toExponential().split("e");
  return mantissa.replace(".", "").length;
}

/** What a value is, in words. */
export function nameOf(value: Scalar): string {
  if (value === null) return "nothing";
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "a number" : String(value);
}

/** A text in a message; long ones are cut. */
export function shown(text: string): string {
  return text.length <= 60 ? `\`${text}\`` : `\`${text.slice(0, 57)}…\``;
}
