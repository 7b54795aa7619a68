import {
  resolve,
  type ObjectTypeShape,
  type ServiceModel,
  type Shape,
  type StringFormat,
  type StringShape,
} from "../../model/index.ts";

type Resolved = ReturnType<typeof resolve>;

/** Deepest object that is filled in: a recursive type has no end of its own. */
const depthMax = 6;

/** A value of a type: its example where the spec has one, `hint` where that fits, or else something plain. */
export function sampleOf(model: ServiceModel, shape: Shape, hint?: unknown, depth = 0): unknown {
  const known = hint ?? exampleOf(model, shape);
  if (known !== undefined) return known;
  const resolved = resolve(model, shape);
  switch (resolved.kind) {
    case "object":
      return depth < depthMax ? objectSample(model, resolved, depth) : {};
    case "array":
      return depth < depthMax ? [sampleOf(model, resolved.items, undefined, depth + 1)] : [];
    case "enum":
      return resolved.values[0]?.value ?? "";
    case "boolean":
      return resolved.const ?? true;
    case "string":
      return stringSample(resolved);
    default:
      return resolved.const ?? Math.max(resolved.minimum ?? 1, Math.min(resolved.maximum ?? 1, 1));
  }
}

function exampleOf(model: ServiceModel, shape: Shape): unknown {
  return shape.kind === "ref" ? model.types.find(({ name }) => name === shape.type)?.example : undefined;
}

function objectSample(model: ServiceModel, shape: ObjectTypeShape, depth: number): object {
  const groups = [...shape.atLeastOneOf, ...shape.exactlyOneOf].map(([first]) => first);
  const fields = shape.fields.filter(
    ({ name, presence }) => presence.kind === "required" || groups.includes(name),
  );
  return Object.fromEntries(
    fields.map(({ name, shape: inner, example }) => [name, sampleOf(model, inner, example, depth + 1)]),
  );
}

const formatSamples: Readonly<Record<StringFormat, string>> = {
  timestamp: "2026-03-01T09:30:00.000Z",
  "offset-timestamp": "2026-03-01T09:30:00+02:00",
  date: "20260301",
  "year-month": "2026-03",
  pem: "-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n",
  base64: "c2FtcGxl",
  url: "https://example.com/callback",
};

const candidates = [
  "text",
  "A1",
  "1",
  "12",
  "123",
  "A",
  "AB",
  "ABC",
  "a",
  "ab",
  "abc",
  "A-1",
  "a1",
  "00000",
  "1234567890",
];

function stringSample({
  const: constant,
  format,
  pattern,
  lengthMin = 0,
  lengthMax = 4096,
}: StringShape): string {
  if (constant !== undefined) return constant;
  if (format !== undefined) return formatSamples[format];
  const fits = (text: string): boolean =>
    text.length >= lengthMin && text.length <= lengthMax && matches(pattern, text);
  return [...candidates, "x".repeat(Math.min(lengthMin, 80))].find(fits) ?? "…";
}

function matches(pattern: string | undefined, text: string): boolean {
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

/** Whether a value of no structure is of a type. Formats are taken on trust. */
export function isOfType(shape: Exclude<Resolved, { kind: "object" | "array" }>, value: unknown): boolean {
  switch (shape.kind) {
    case "enum":
      return shape.values.some((each) => each.value === value);
    case "boolean":
      return typeof value === "boolean" && (shape.const ?? value) === value;
    case "string": {
      const { const: constant, lengthMin = 0, lengthMax = Infinity, pattern } = shape;
      if (typeof value !== "string" || (constant ?? value) !== value) return false;
      const length = [...value].length;
      return length >= lengthMin && length <= lengthMax && matches(pattern, value);
    }
    default: {
      const { const: constant, minimum = -Infinity, maximum = Infinity } = shape;
      if (typeof value !== "number" || (constant ?? value) !== value) return false;
      return value >= minimum && value <= maximum && (shape.kind !== "integer" || Number.isInteger(value));
    }
  }
}
