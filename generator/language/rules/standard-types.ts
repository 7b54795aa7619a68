import { languageOf } from "../../protocols/languages.ts";
import { eventsOf, resolveShape } from "../references/reach.ts";
import { writtenAt } from "../syntax/index.ts";
import type { EnumSpec, MapSpec, ShapeSpec, TaggedSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { shapeParts } from "../shape-parts.ts";
import type { Scope } from "../references/scope.ts";

const standardKinds: ReadonlySet<string> = new Set(["null", "json", "map", "tuple", "union", "tagged"]);

/** Of these, the ones that results and events of the signed envelope may have too. */
const answeredKinds: ReadonlySet<string> = new Set(["null", "union", "tagged"]);

/** Types that interfaces of JSON-RPC 2.0 alone have, and what they are made of. */
export function checkStandardTypes(context: RuleContext): void {
  const { takesEveryType } = languageOf(context.own.wire.protocol);
  for (const shape of context.shapes) {
    if (shape.kind === "unknown") continue;
    const isNested = shape.kind === "array" && shape.items.kind === "array";
    if (shape.kind === "enum") checkIntegers(shape, takesEveryType, context);
    const isBigint = shape.kind === "scalar" && shape.scalar === "bigint";
    if (
      !takesEveryType &&
      (isNested || isBigint || standardKinds.has(shape.kind)) &&
      !isPlainUnion(shape, context) &&
      !isAnsweredAlone(shape, context)
    ) {
      const isAnswered = answeredKinds.has(shape.kind);
      context.report("type-needs-standard", shape.span, { type: wordsOf(shape), isAnswered });
    } else if (shape.kind === "map") checkKeys(shape, context);
    else if (shape.kind === "tagged") checkCases(shape, context);
  }
}

/** Values of an envelope's enums are texts; a number with leading zeros or an exponent is meant as text anywhere. */
function checkIntegers({ values }: EnumSpec, takesEveryType: boolean, { report }: RuleContext): void {
  for (const { value, integer } of values) {
    const written = writtenAt(value.span);
    if (integer === undefined || (takesEveryType && written === String(integer))) continue;
    report("wrong-type", value.span, {
      expected: ["text"],
      found: `the number ${written}`,
      unquoted: written,
    });
  }
}

/** `string|integer`: nothing in such a value has names to resolve, or digits to keep. */
function isPlainUnion(shape: ShapeSpec, { scope }: RuleContext): boolean {
  if (shape.kind !== "union") return false;
  return shape.alternatives.every((each) => {
    const resolved = resolveShape(each, scope);
    if (resolved === undefined || resolved.kind === "enum") return true;
    return resolved.kind === "scalar" && !["money", "bigint"].includes(resolved.scalar);
  });
}

/** Alternatives of answers and events: nobody sends them, so that no names of theirs have to be read. */
function isAnsweredAlone(shape: ShapeSpec, { reach }: RuleContext): boolean {
  const directions = reach.composed.get(shape);
  return directions !== undefined && !directions.has("request");
}

function wordsOf(shape: ShapeSpec): string {
  switch (shape.kind) {
    case "scalar":
      return shape.scalar;
    case "array":
      return "array of array of";
    case "map":
      return "map of";
    case "tuple":
      return "tuple of";
    case "union":
      return "|";
    case "tagged":
      return "oneOf";
    default:
      return shape.kind;
  }
}

/** The names of an object are texts. */
function checkKeys({ keys }: MapSpec, { scope, report }: RuleContext): void {
  if (keys === undefined || keys.kind === "unknown") return;
  const resolved = resolveShape(keys, scope);
  if (resolved === undefined) return;
  const isEnum = resolved.kind === "enum" && resolved.values.every(({ integer }) => integer === undefined);
  if (isEnum) return;
  const isText =
    resolved.kind === "scalar" &&
    !["number", "integer", "bigint", "boolean", "money"].includes(resolved.scalar);
  if (!isText) report("map-keys", keys.span, {});
}

/** Each case is an object type; where it has the discriminator itself, it takes the tag. */
function checkCases({ discriminator, cases }: TaggedSpec, { scope, report }: RuleContext): void {
  for (const { tag, shape } of cases) {
    const resolved = resolveShape(shape, scope);
    if (resolved === undefined) continue;
    if (resolved.kind !== "object") {
      report("tagged-case", shape.span, { type: shape.type.value });
      continue;
    }
    const own = resolved.fields.find(({ name }) => name.value === discriminator.value);
    if (own === undefined && resolved.closed === true) {
      const params = { type: shape.type.value, member: discriminator.value, tag: tag.value };
      report("tagged-closed", tag.span, params);
    }
    const held = own && resolveShape(own.shape, scope);
    if (held === undefined || takes(held, tag.value)) continue;
    const params = { type: shape.type.value, member: discriminator.value, tag: tag.value };
    report("tagged-member", tag.span, params, { span: own?.name.span ?? tag.span, message: "here" });
  }
}

function takes(shape: ShapeSpec, tag: string): boolean {
  if (shape.kind === "enum")
    return shape.values.some(({ value, integer }) => integer === undefined && value.value === tag);
  if (shape.kind !== "scalar" || shape.scalar !== "string") return false;
  const constant = shape.constraints.find(({ key }) => key === "const")?.value;
  return constant === undefined || constant === tag;
}

/** Parameters and results are read with every digit; what services send by themselves, and data of errors, are not. */
export function checkBigintPlaces({ spec, scope, report }: RuleContext): void {
  for (const event of eventsOf(spec, scope)) {
    if (holdsBigint(event.payload))
      report("bigint-place", event.name.span, { what: "the payload of an event" });
  }
  for (const { code, data } of scope.errors.values()) {
    if (data !== undefined && holdsBigint(data))
      report("bigint-place", code.span, { what: "the data of an error" });
  }

  function holdsBigint(shape: ShapeSpec, seen: Set<string> = new Set()): boolean {
    if (shape.kind === "scalar") return shape.scalar === "bigint";
    if (shape.kind !== "ref") return shapeParts(shape).some((part) => holdsBigint(part, seen));
    const target = scope.types.get(shape.type.value);
    if (target === undefined || seen.has(target.name.value)) return false;
    seen.add(target.name.value);
    return holdsBigint(target.shape, seen);
  }
}

/** Of alternatives of which exactly one may fit, two that take the same values take none: whatever fits one fits both. */
export function checkAlternatives({ shapes, scope, report }: RuleContext): void {
  for (const shape of shapes) {
    if (shape.kind !== "union" || shape.exactlyOne === undefined) continue;
    const texts = shape.alternatives.map((each) => textOf(each, scope));
    for (const [at, text] of texts.entries()) {
      const first = texts.indexOf(text);
      if (first < at) report("alternatives-same", shape.span, { first: first + 1, second: at + 1 });
    }
  }
}

/** Members of a shape that say nothing of its values. */
const remarks: ReadonlySet<string> = new Set([
  "span",
  "keySpan",
  "doc",
  "section",
  "decisions",
  "since",
  "deprecated",
  "extensions",
  "example",
]);

/** A shape as text: equal texts take the same values. */
function textOf(shape: ShapeSpec, scope: Scope): string {
  const constraints = shape.kind === "ref" ? shape.constraints : [];
  return JSON.stringify([constraints, resolveShape(shape, scope) ?? shape], (key, value: unknown) => {
    if (remarks.has(key)) return undefined;
    // Some members are the place where a word is written.
    return typeof value === "object" && value !== null && "source" in value ? true : value;
  });
}
