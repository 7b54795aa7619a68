import { accepts, type ResolvedShape } from "../../conformance/values/index.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { anchorsOf, patternProblem, soundPattern } from "../../generator/language/patterns/patterns.ts";
import { cannotSay, noteReading, type Dropped, type Owner } from "./findings.ts";
import { textOf, type Json } from "./json.ts";
import { includesType, jsonTypeOf, type JsonType } from "./json-types.ts";
import type { Merged } from "./merge.ts";
import { ownFormat, withDropped, withExtension } from "./remarks.ts";
import { nothingButNull, scalar, type Constraints, type Shape } from "./shape.ts";
import type { Site } from "./sources.ts";

/** Inputs of building the shape of a schema. */
export interface Place {
  readonly owner: Owner;
  readonly lossy: boolean;
  /** The schema that findings are about. */
  readonly site: Site;
}

export function stringShape({ limits, patterns, formats }: Merged, place: Place): Shape {
  const own = patterns.length === 1 ? ownFormat(place.site.value) : undefined;
  if (own !== undefined)
    return scalar(own, numbers(limits, { minLength: "minLength", maxLength: "maxLength" }));
  const dropped: Dropped = {};
  const [first, ...others] = patterns;
  let pattern = first === undefined ? undefined : anchoredPattern(first);
  const problem = pattern === undefined ? undefined : patternProblem(pattern);
  const why =
    others.length > 0
      ? "several patterns for one text; write one that says all"
      : problem?.kind === "invalid"
        ? `the pattern is no regular expression with the \`u\` flag: ${problem.reason}`
        : problem && `the pattern can be slow: ${problem.because}`;
  if (why !== undefined) {
    cannotSay({ ...place.site, pointer: `${place.site.pointer}/pattern` }, why, place);
    dropped.pattern = patterns.length === 1 ? (first ?? "") : patterns;
    pattern = undefined;
  }
  const constraints: Constraints = {
    ...numbers(limits, { minLength: "minLength", maxLength: "maxLength" }),
    ...omitUndefined({ pattern }),
  };
  const [format] = formats;
  const shape = scalar("string", constraints);
  const marked = format === undefined ? shape : withExtension(shape, "x-format", format);
  return withDropped(marked, dropped);
}

export function numberShape(
  type: "number" | "integer",
  { limits, others, formats }: Merged,
  place: Place,
): Shape {
  const dropped: Dropped = {};
  const multiple = others.find(({ keyword }) => keyword === "multipleOf");
  const isWhole = multiple?.site.value === 1 || type === "integer";
  if (multiple !== undefined && multiple.site.value !== 1) {
    cannotSay(multiple.site, "`multipleOf` has no word in the spec language", place);
    dropped.multipleOf = multiple.site.value;
  }
  const bounds = {
    minimum: "minimum",
    maximum: "maximum",
    exclusiveMinimum: "above",
    exclusiveMaximum: "below",
  };
  const kept = { ...limits };
  for (const keyword of Object.keys(bounds)) {
    const bound = limits[keyword];
    if (!isBeyondSafe(bound)) continue;
    const why = isWhole ? `${beyondSafe(keyword)}; the type is \`bigint\`` : beyondSafe(keyword);
    cannotSay({ ...place.site, pointer: `${place.site.pointer}/${keyword}` }, why, place);
    dropped[keyword] = bound;
    delete kept[keyword];
  }
  const large = formats.find((format) => largeFormat.test(format));
  const isMarked = textOf(place.site.value, "x-format") === "bigint";
  if (isWhole && large !== undefined && !isMarked)
    noteReading(
      place.site,
      `\`${large}\` has values beyond 9007199254740991: the type is \`bigint\``,
      place.owner,
    );
  const isBig = isWhole && (isMarked || large !== undefined || Object.values(limits).some(isBeyondSafe));
  return withDropped(
    scalar(isBig ? "bigint" : isWhole ? "integer" : "number", numbers(kept, bounds)),
    dropped,
  );
}

/** Formats of integers that a double does not keep, and formats of numbers in general (OpenAPI, schemars). */
const largeFormat = /^u?int(?:64|128|256)$/;
const numericFormat = /^u?int(?:\d+|eger)?$|^float(?:32|64)?$|^double$|^decimal$/;

/** The shape of `enum` and `const`, as far as the other keywords accept their values. */
export function valuesShape(values: readonly Json[], merged: Merged): Shape | undefined {
  const fitting = values.filter((value) => fits(value, merged));
  const texts = fitting.filter((value) => typeof value === "string");
  const wholes = fitting.flatMap((value) =>
    typeof value === "number" && Number.isSafeInteger(value) ? [value] : [],
  );
  const flags = fitting.filter((value) => typeof value === "boolean");
  const isAll =
    texts.length + wholes.length + flags.length + fitting.filter((value) => value === null).length ===
    fitting.length;
  const [only] = fitting;
  if (fitting.length === 1 && typeof only === "number" && !isBeyondSafe(only))
    return scalar(Number.isInteger(only) ? "integer" : "number", { const: only });
  if (fitting.length === 0 || !isAll) return undefined;
  const alternatives: Shape[] = textShapes(unique(texts));
  if (wholes.length > 0) alternatives.push({ kind: "enum", values: unique(wholes) });
  const [flag] = flags;
  if (flags.length > 0)
    alternatives.push(
      scalar("boolean", flags.length === 1 && typeof flag === "boolean" ? { const: flag } : {}),
    );
  const [first, ...more] = alternatives;
  if (first === undefined) return nothingButNull;
  const shape: Shape = more.length === 0 ? first : { kind: "union", alternatives, exactlyOne: false };
  return fitting.includes(null) ? { kind: "nullable", shape } : shape;
}

/** A value of an enumeration has to be seen: an empty text is a constant beside it, and so is a single one. */
function textShapes(texts: readonly string[]): Shape[] {
  const seen = texts.filter(isSeen);
  const [first, ...more] = seen;
  const constants = [
    ...(first !== undefined && more.length === 0 ? [first] : []),
    ...texts.filter((text) => !isSeen(text)),
  ];
  return [
    ...(more.length === 0 ? [] : [{ kind: "enum" as const, values: seen }]),
    ...constants.map((text) => scalar("string", { const: text })),
  ];
}

function isSeen(text: string): boolean {
  return text.trim() !== "";
}

export function isBeyondSafe(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Why a number of a keyword cannot be said. */
export function beyondSafe(keyword: string): string {
  return `\`${keyword}\` is beyond 9007199254740991, and numbers of that size are not kept exactly`;
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

/** By the reference check of values, as far as one value of an enumeration can be held against the other keywords. */
function fits(value: Json, { types, limits, patterns }: Merged): boolean {
  if (types !== undefined && !includesType(types, jsonTypeOf(value))) return false;
  const limit = (keyword: string): number | undefined => {
    const bound = limits[keyword];
    return typeof bound === "number" ? bound : undefined;
  };
  const shapes: readonly ResolvedShape[] = [
    omitUndefined({
      kind: "number",
      minimum: limit("minimum"),
      maximum: limit("maximum"),
      above: limit("exclusiveMinimum"),
      below: limit("exclusiveMaximum"),
    }),
    omitUndefined({ kind: "string", lengthMin: limit("minLength"), lengthMax: limit("maxLength") }),
    ...patterns.map((pattern) =>
      omitUndefined({ kind: "string", pattern: soundPattern(anchoredPattern(pattern)) }),
    ),
  ];
  return shapes
    .filter(({ kind }) => kind === typeof value)
    .every((shape) => accepts(shape, value, { direction: "request", example: true, resolve: () => shape }));
}

export function numbers(limits: Merged["limits"], names: Readonly<Record<string, string>>): Constraints {
  const found = Object.entries(names).flatMap(([keyword, name]) => {
    const value = limits[keyword];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The JSON types of which a schema without `type` says something. */
export function typesSpokenOf({
  limits,
  patterns,
  formats,
  properties,
  required,
  allowed,
  others,
}: Merged): readonly JsonType[] {
  const keywords = new Set([...Object.keys(limits), ...others.map(({ keyword }) => keyword)]);
  const has = (...names: readonly string[]) => names.some((name) => keywords.has(name));
  const types: JsonType[] = [];
  const isNumeric = formats.some((format) => numericFormat.test(format));
  if (patterns.length > 0 || (formats.length > 0 && !isNumeric) || has("minLength", "maxLength"))
    types.push("string");
  if (isNumeric || has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))
    types.push("number");
  const isObject =
    properties.size > 0 ||
    required.size > 0 ||
    allowed.length > 0 ||
    has("additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties");
  if (isObject) types.push("object");
  if (has("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")) types.push("array");
  return types;
}

/** A pattern of JSON Schema as the spec language has it: valid with the `u` flag and anchored at both ends. */
export function anchoredPattern(pattern: string): string {
  return withoutAmbiguity(anchored(isValid(pattern) ? pattern : withUnicodeFlag(pattern)));
}

/**
 * The same set of strings with the `u` flag, which refuses needless escapes, unescaped braces and brackets, and
 * hyphens beside `\w` in a class. An escaped hyphen of a class stays: without its escape it is a range.
 */
function withUnicodeFlag(pattern: string): string {
  let inClass = false;
  let previous = "";
  const token = /\\[^]|\{\d+(?:,\d*)?\}|[^]/g;
  return pattern.replaceAll(token, (part, at: number) => {
    const before = previous;
    previous = part;
    if (part.length > 1) return escaped(part, inClass);
    if (!inClass) {
      inClass = part === "[";
      return /[{}\]]/.test(part) ? `\\${part}` : part;
    }
    inClass = part !== "]";
    const isBesideSet = isSet(before) || isSet(pattern.slice(at + 1, at + 3));
    return part === "-" && isBesideSet && pattern[at + 1] !== "]" ? "\\-" : part;
  });
}

function isSet(part: string): boolean {
  return /^\\[wWdDsS]$/.test(part);
}

function escaped(part: string, inClass: boolean): string {
  const isNeeded = /^\\[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(part) || (inClass && part === "\\-");
  return isNeeded || !part.startsWith("\\") ? part : part.slice(1);
}

/** `[1-9a-f]+[0-9a-f]*`, which takes quadratic time, takes the same texts as `[1-9a-f][0-9a-f]*`, which does not. */
function withoutAmbiguity(pattern: string): string {
  return pattern.replaceAll(/(\[[^\]\\^]+\])\+(\[[^\]\\^]+\])\*/g, (whole, first: string, second: string) =>
    isWithin(first, second) ? `${first}${second}*` : whole,
  );
}

/** Whether all printable ASCII characters of one class are in the other. */
function isWithin(first: string, second: string): boolean {
  const [inner, outer] = [new RegExp(first, "u"), new RegExp(second, "u")];
  const characters = Array.from({ length: 0x7f }, (_, code) => String.fromCodePoint(code));
  return (
    /^[ -~]*$/.test(first) && characters.every((character) => !inner.test(character) || outer.test(character))
  );
}

function anchored(plain: string): string {
  const { hasTopAlternative, startsAnchored, endsAnchored } = anchorsOf(plain);
  if (!hasTopAlternative && startsAnchored && endsAnchored) return plain;
  if (!hasTopAlternative && startsAnchored) return `${plain}[^]*$`;
  if (!hasTopAlternative && endsAnchored) return `^[^]*${plain}`;
  return `^[^]*(?:${plain})[^]*$`;
}

function isValid(pattern: string): boolean {
  try {
    RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
