import { stringFormats } from "../../../conformance/suite/shape.ts";
import type { FieldModel, Shape, StringShape } from "../../model/service-model.ts";
import type { Links } from "./prose.ts";

/** A type as a reader sees it: `array of Account`, with a link where it has a name. */
export interface TypeWords {
  readonly before: string;
  readonly name: string;
  readonly href: string | undefined;
}

export function typeWords(shape: Shape, links: Links, before = ""): TypeWords {
  switch (shape.kind) {
    case "ref":
      return { before, name: shape.type, href: links.type(shape.type) };
    case "array":
      return typeWords(shape.items, links, `${before}array of `);
    case "string":
      return { before, name: shape.format ?? "string", href: undefined };
    case "nullable":
      return typeWords(shape.shape, links, `${before}null or `);
    case "map":
      return typeWords(shape.values, links, `${before}map of `);
    default:
      return { before, name: plainText(shape), href: undefined };
  }
}

/** A type without links. */
function plainText(shape: Shape): string {
  switch (shape.kind) {
    case "ref":
      return shape.type;
    case "array":
      return `array of ${plainText(shape.items)}`;
    case "map":
      return `map of ${plainText(shape.values)}`;
    case "nullable":
      return `${plainText(shape.shape)} or null`;
    case "union":
      return shape.alternatives.map(plainText).join(" or ");
    case "tuple":
      return `tuple of [${shape.items.map(plainText).join(", ")}]`;
    case "tagged":
      return shape.cases.map(({ shape: object }) => object.type).join(" or ");
    default:
      return shape.kind;
  }
}

/** How a request or an answer has a field: `required`, `optional`, `required when accountType is CUSTODIAL`. */
export function presenceWords({ presence }: FieldModel): string {
  if (presence.kind !== "required-when") return presence.kind;
  return `required when ${presence.field} is ${presence.values.map(String).join(" or ")}`;
}

/** Follows a reference to the type that it names. */
type Resolve = (shape: Shape) => Shape;

/**
 * Constraints of a value beside its type, in words. Of named types inside it, those that are neither objects nor made of
 * others: a type may be inside itself.
 */
export function constraintWords(shape: Shape, resolve: Resolve): readonly string[] {
  const inside = (part: Shape, which: string): readonly string[] => {
    const named = part.kind === "ref" ? resolve(part) : part;
    return part.kind === "ref" && composed.has(named.kind)
      ? []
      : constraintWords(named, resolve).map((words) => (which === "" ? words : `${which}: ${words}`));
  };
  switch (shape.kind) {
    case "string":
      return stringWords(shape);
    case "number":
    case "integer":
    case "bigint":
    case "money":
      return [
        ...constWords(shape.const),
        ...(shape.kind === "bigint" ? ["every digit counts, beyond 2^53 too"] : []),
        ...(shape.kind === "money" ? ["a decimal with at most 15 significant digits"] : []),
        ...range(shape.minimum, shape.maximum, "", ""),
        ...(shape.above === undefined ? [] : [`more than ${shape.above}`]),
        ...(shape.below === undefined ? [] : [`less than ${shape.below}`]),
      ];
    case "boolean":
      return constWords(shape.const);
    case "enum":
      return shape.open === true ? ["answers and events may hold values that a later revision adds"] : [];
    case "array":
      return [
        ...range(shape.itemsMin, shape.itemsMax, " item", " items"),
        ...(shape.unique ? ["no item twice"] : []),
        ...inside(shape.items, "each item"),
      ];
    case "nullable":
      return inside(shape.shape, "");
    case "map":
      return [
        ...(shape.keys === undefined ? [] : [`each key: ${plainText(shape.keys)}`]),
        ...(shape.keys === undefined
          ? []
          : keyWords(shape.keys, resolve).map((words) => `each key: ${words}`)),
        ...inside(shape.values, "each value"),
      ];
    case "tuple":
      return shape.items.flatMap((item, at) => inside(item, `item ${at + 1}`));
    case "union":
      return [
        ...(shape.exactlyOne ? ["no more than one of these at once"] : []),
        ...shape.alternatives.flatMap((each) => inside(each, `as ${plainText(each)}`)),
      ];
    default:
      return [];
  }
}

const composed: ReadonlySet<Shape["kind"]> = new Set(["array", "nullable", "map", "tuple", "union"]);

/** The values of a key, which stand nowhere else on the page. */
function keyWords(keys: Shape, resolve: Resolve): readonly string[] {
  const shape = resolve(keys);
  return shape.kind === "enum"
    ? [`one of ${shape.values.map(({ value }) => String(value)).join(", ")}`]
    : constraintWords(shape, resolve);
}

function stringWords({ format, const: only, lengthMin, lengthMax, pattern }: StringShape): readonly string[] {
  return [
    ...constWords(only),
    ...(format === undefined ? [] : [stringFormats[format]]),
    ...range(lengthMin, lengthMax, " character", " characters"),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
  ];
}

function constWords(value: string | number | boolean | undefined): readonly string[] {
  return value === undefined ? [] : [`always ${JSON.stringify(value)}`];
}

function range(
  least: number | undefined,
  most: number | undefined,
  one: string,
  many: string,
): readonly string[] {
  const unit = (count: number) => (count === 1 ? one : many);
  if (least !== undefined && least === most) return [`exactly ${least}${unit(least)}`];
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit(most)}`];
  // No text and no list has fewer than none.
  if (least !== undefined && !(least === 0 && many !== "")) return [`at least ${least}${unit(least)}`];
  return most === undefined ? [] : [`at most ${most}${unit(most)}`];
}
