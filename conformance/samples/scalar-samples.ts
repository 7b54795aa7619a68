import type { FieldShape, NumberShape, ResolvedShape, Shape, StringShape } from "../suite/shape.ts";
import { accepts } from "../values/index.ts";
import { charactersOf } from "../values/problems.ts";
import { formatExamples, formatMistakes } from "./format-samples.ts";
import { patternSamples, sampleCharactersMax } from "./pattern-samples.ts";

/** How values are read and, where the caller knows better ones, made. */
export interface SampleReading {
  readonly direction: "request" | "response";
  /** A shape with references followed to their end. */
  resolve(shape: Shape): ResolvedShape;
  /** A value for a field at a JSON Pointer; undefined where any that fits will do. */
  given?(field: FieldShape, at: string): unknown;
}

/** A value to try where a shape stands, and what is particular about it. */
interface Candidate {
  readonly what: string;
  readonly value: unknown;
}

/** A value that fits; `undefined` if none was found, which only an exotic pattern can cause. */
export function scalarSample(shape: Shape, reading: SampleReading): unknown {
  return scalarSamples(shape, 1, reading)[0];
}

/** Up to so many different values that fit, the plainest first. */
export function scalarSamples(shape: Shape, count: number, reading: SampleReading): readonly unknown[] {
  const resolved = reading.resolve(shape);
  const fitting: unknown[] = [];
  for (const value of new Set(plausible(resolved, count))) {
    if (fitting.length === count) break;
    if (value !== "" && accepts(resolved, value, reading)) fitting.push(value);
  }
  return fitting;
}

/** Values to try, right ones and wrong ones, at every border that the shape draws. */
export function scalarCandidates(shape: Shape, reading: SampleReading): readonly Candidate[] {
  const resolved = reading.resolve(shape);
  switch (resolved.kind) {
    case "string":
      return [...stringCandidates(resolved), ...otherTypes("string")];
    case "number":
    case "integer":
    case "bigint":
    case "money":
      return [...numberCandidates(resolved), ...otherTypes("number")];
    case "boolean":
      return [
        named("true", true),
        named("false", false),
        named("text", "true"),
        named("0", 0),
        named("null", null),
      ];
    case "enum":
      return [
        ...resolved.values.map(({ value }) => named(`value ${value}`, value)),
        ...resolved.values
          .slice(0, 1)
          .flatMap(({ value }) =>
            typeof value === "number"
              ? [
                  named("as text", String(value)),
                  named("a fraction", value + 0.5),
                  named("unknown", value - 1),
                ]
              : [named("other case", swapCase(value)), named("trailing blank", `${value} `)],
          ),
        named("unknown value", "no such value"),
        named("inherited name", "constructor"),
        ...otherTypes("string"),
      ];
    default:
      return otherTypes(resolved.kind);
  }
}

/** Values of other JSON types than those of a shape. */
export function otherTypes(kind: Shape["kind"]): readonly Candidate[] {
  const all: Readonly<Record<string, unknown>> = { string: "text", number: 1, object: {}, array: [] };
  const right = kind === "enum" ? "string" : ["integer", "bigint", "money"].includes(kind) ? "number" : kind;
  const wrong = Object.entries(all).filter(([type]) => type !== right);
  return [named("null", null), named("true", true), ...wrong.map(([type, value]) => named(type, value))];
}

function named(what: string, value: unknown): Candidate {
  return { what, value };
}

function plausible(shape: Shape, count: number): readonly unknown[] {
  switch (shape.kind) {
    case "string":
      return plausibleTexts(shape, count);
    case "number":
    case "integer":
    case "bigint":
    case "money":
      return plausibleNumbers(shape, count);
    case "boolean":
      return [true, false];
    case "enum":
      return shape.values.map(({ value }) => value);
    default:
      return [];
  }
}

function plausibleTexts(shape: StringShape, count: number): readonly string[] {
  if (shape.const !== undefined) return [shape.const];
  const numbered = (text: string) =>
    Array.from({ length: count }, (_, index) => `${text}${index === 0 ? "" : index}`);
  const lengths = [1, shape.lengthMin ?? 1, shape.lengthMax ?? 1];
  if (shape.format !== undefined) {
    const examples = formatExamples[shape.format];
    return [
      ...examples,
      ...lengths.flatMap((length) => lengthened(shape, length)),
      ...numbered(examples[0] ?? ""),
    ];
  }
  if (shape.pattern !== undefined) {
    const repetitions = [1, 2, 3, ...lengths, ...Array.from({ length: count }, (_, n) => n + 1)];
    return [
      ...patternSamples(shape.pattern, repetitions),
      ...lengths.flatMap((length) => lengthened(shape, length)),
    ];
  }
  const padded = numbered("text").map((text) =>
    text.padEnd(Math.min(shape.lengthMin ?? 0, sampleCharactersMax), "x"),
  );
  return [...padded, ...Array.from({ length: count }, (_, index) => String.fromCodePoint(97 + (index % 26)))];
}

function plausibleNumbers(shape: NumberShape, count: number): readonly number[] {
  if (shape.const !== undefined) return [shape.const];
  const { minimum = 1, maximum = minimum + 1, above, below } = shape;
  const start = shape.kind !== "number" && shape.kind !== "money" ? Math.ceil(minimum) : minimum;
  const least = Math.max(minimum, above ?? minimum);
  const inside = [
    ...(above === undefined ? [] : [Math.floor(above) + 1, above + 0.5, ((below ?? maximum) + least) / 2]),
    ...(below === undefined ? [] : [Math.ceil(below) - 1, below - 0.5, (below + least) / 2]),
  ];
  const from = inside[0] ?? start;
  const steps = Array.from({ length: count }, (_, index) => start + index);
  const inner = inside.length === 0 ? [] : Array.from({ length: count }, (_, index) => from + index);
  const down = inside.length === 0 ? [] : Array.from({ length: count }, (_, index) => from - index);
  return [1, start, maximum, ...steps, 0, ...inside, ...inner, ...down];
}

function stringCandidates(shape: StringShape): readonly Candidate[] {
  const borders = [shape.lengthMin, shape.lengthMax].filter((border) => border !== undefined);
  const lengths = borders
    .flatMap((border) => [border - 1, border, border + 1])
    .filter((length) => length >= 0);
  const texts = [...new Set(lengths)].flatMap((length) => lengthened(shape, length));
  const { format, pattern } = shape;
  return [
    named("empty", ""),
    named("blank", " "),
    named("astral character", "😀"),
    ...(shape.const === undefined
      ? []
      : [named("the constant", shape.const), named("not the constant", `${shape.const}!`)]),
    ...texts.map((text) => named(`${charactersOf(text)} characters, ${text.length} units`, text)),
    ...(format === undefined
      ? []
      : formatExamples[format].map((text) => named(`${format} ${JSON.stringify(text)}`, text))),
    ...(format === undefined
      ? []
      : formatMistakes[format].map((text) => named(`no ${format} ${JSON.stringify(text)}`, text))),
    ...(pattern === undefined ? [] : patternCandidates(pattern)),
  ];
}

/** Texts of exactly so many code points: as plain as possible, and of characters that take two units. */
function lengthened(shape: StringShape, length: number): readonly string[] {
  if (length > sampleCharactersMax) return [];
  if (shape.format === "base64") return length % 4 === 0 ? ["A".repeat(length)] : [];
  if (shape.format === "url") return ["https://example.com/".padEnd(length, "a").slice(0, length)];
  if (shape.format !== undefined) return [];
  if (shape.pattern === undefined) return ["x".repeat(length), "😀".repeat(length)];
  const repetitions = Array.from({ length: Math.min(length, 4) + 1 }, (_, less) => length - less);
  return patternSamples(shape.pattern, repetitions).filter((text) => charactersOf(text) === length);
}

function patternCandidates(pattern: string): readonly Candidate[] {
  return patternSamples(pattern, [0, 1, 2, 3]).flatMap((text) => [
    named(`matching ${JSON.stringify(text)}`, text),
    named(`with a line break`, `${text}\n`),
    named(`with a control character`, `\u0001${text}`),
    named(`twice`, `${text} ${text}`),
  ]);
}

function numberCandidates(shape: NumberShape): readonly Candidate[] {
  const most = shape.kind === "money" ? 999_999_999_999_999 : undefined;
  const borders = [
    shape.minimum ?? (most === undefined ? undefined : -most),
    shape.maximum ?? most,
    shape.above,
    shape.below,
  ];
  return [
    ...borders.flatMap((border) =>
      border === undefined
        ? []
        : [border - 1, border - 0.5, border, border + 0.5, border + 1].map((value) =>
            named(String(value), value),
          ),
    ),
    ...(shape.const === undefined
      ? []
      : [named("the constant", shape.const), named("not the constant", shape.const + 1)]),
    named("0", 0),
    named("-0", -0),
    named("-1", -1),
    named("a fraction", 1.5),
    named("beyond 2^53", 2 ** 53 + 2),
    named("1e300", 1e300),
    named("numeric text", "1"),
  ];
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}
