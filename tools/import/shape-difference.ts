import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { canonicalText } from "../../conformance/values/index.ts";
import type { Json } from "./json.ts";
import type { Field, Remarks, Shape } from "./shape.ts";

/** The named types of one document. */
export interface ShapeSide {
  shapeOf(type: string): Shape;
}

interface Options {
  /** Whether the place has a documentation of its own: a parameter, a member or a named type has. */
  readonly isNamed: boolean;
}

/**
 * Where two shapes differ, as a path and a reason; undefined where they are equal. Names of types and the order of
 * alternatives do not count. A type that contains itself equals one that does so in the same way.
 */
export function shapeDifference(
  a: Shape,
  sideA: ShapeSide,
  b: Shape,
  sideB: ShapeSide,
  options: Options = { isNamed: true },
): string | undefined {
  const ids = new Map<Shape, number>();
  const idOf = (shape: Shape): number => {
    const id = ids.get(shape) ?? ids.size;
    ids.set(shape, id);
    return id;
  };
  return differ(a, b, options.isNamed, { sideA, sideB, idOf, assumed: new Set() });
}

interface Comparison {
  readonly sideA: ShapeSide;
  readonly sideB: ShapeSide;
  idOf(shape: Shape): number;
  /** Pairs that are equal unless a difference turns up elsewhere: so cycles end. */
  assumed: Set<string>;
}

function differ(left: Shape, right: Shape, isNamed: boolean, comparison: Comparison): string | undefined {
  const [one, two] = [resolve(left, comparison.sideA), resolve(right, comparison.sideB)];
  if (isNamed && one.doc !== two.doc) return `: the description differs`;
  if (isNamed && presetOf(one) !== presetOf(two)) return ": the default differs";
  const key = `${comparison.idOf(one.end)} ${comparison.idOf(two.end)}`;
  if (comparison.assumed.has(key)) return undefined;
  const before = new Set(comparison.assumed);
  comparison.assumed.add(key);
  const difference = differInKind(one.end, two.end, comparison);
  if (difference !== undefined) comparison.assumed = before;
  return difference;
}

function differInKind(left: Shape, right: Shape, comparison: Comparison): string | undefined {
  if (left.kind !== right.kind) return `: ${left.kind} is not ${right.kind}`;
  if (formatOf(left) !== formatOf(right)) return ": the format differs";
  switch (left.kind) {
    case "scalar": {
      if (right.kind !== "scalar" || left.type !== right.type) return ": another scalar";
      return sameConstraints(left.constraints, right.constraints);
    }
    case "enum":
      return right.kind === "enum" && canonicalText(left.values) === canonicalText(right.values)
        ? undefined
        : ": other values";
    case "nullable":
      return right.kind === "nullable" ? differ(left.shape, right.shape, false, comparison) : undefined;
    case "union":
      return right.kind === "union" ? differInAlternatives(left, right, comparison) : undefined;
    case "array": {
      if (right.kind !== "array") return undefined;
      const inItems = differ(left.items, right.items, false, comparison);
      return inItems === undefined
        ? sameConstraints(left.constraints, right.constraints)
        : `/items${inItems}`;
    }
    case "tuple":
      if (right.kind !== "tuple" || left.items.length !== right.items.length)
        return ": another number of items";
      return first(
        left.items.map((item, index) => differ(item, right.items[index] ?? item, false, comparison)),
      );
    case "map": {
      if (right.kind !== "map" || (left.keys === undefined) !== (right.keys === undefined))
        return ": the keys differ";
      const inKeys = left.keys && right.keys && differ(left.keys, right.keys, false, comparison);
      return inKeys ?? differ(left.values, right.values, false, comparison);
    }
    case "object":
      return right.kind === "object" ? differInFields(left, right, comparison) : undefined;
    case "ref":
      return ": a reference to itself alone";
  }
}

function differInAlternatives(
  left: Extract<Shape, { kind: "union" }>,
  right: Extract<Shape, { kind: "union" }>,
  comparison: Comparison,
) {
  if (left.exactlyOne !== right.exactlyOne) return ": exactly one and at least one differ";
  if (left.alternatives.length !== right.alternatives.length) return ": another number of alternatives";
  const open = [...right.alternatives];
  for (const alternative of left.alternatives) {
    const at = open.findIndex((other) => differ(alternative, other, false, comparison) === undefined);
    if (at === -1) return `: an alternative is missing (${alternative.kind})`;
    open.splice(at, 1);
  }
  return undefined;
}

function differInFields(
  left: Extract<Shape, { kind: "object" }>,
  right: Extract<Shape, { kind: "object" }>,
  comparison: Comparison,
) {
  if (left.closed !== right.closed) return ": only one takes further members";
  const groups = (shape: typeof left) => canonicalText([shape.atLeastOneOf, shape.exactlyOneOf]);
  if (groups(left) !== groups(right)) return ": the groups of members differ";
  const others = new Map(right.fields.map((field) => [field.name, field]));
  if (others.size !== left.fields.length) return ": the members differ";
  return first(left.fields.map((field) => differInField(field, others.get(field.name), comparison)));
}

function conditionOf({ requiredWhen }: Field): Json {
  return requiredWhen === undefined ? null : [requiredWhen.field, requiredWhen.is.toSorted()];
}

function differInField(field: Field, other: Field | undefined, comparison: Comparison): string | undefined {
  if (other === undefined) return `/${field.name}: it is missing`;
  if (field.optional !== other.optional) return `/${field.name}: required differs`;
  if (canonicalText(conditionOf(field)) !== canonicalText(conditionOf(other)))
    return `/${field.name}: when it is required differs`;
  const difference = differ(field.shape, other.shape, true, comparison);
  return difference === undefined ? undefined : `/${field.name}${difference}`;
}

/** The shape that a chain of references ends at, with the remarks that are nearest to its use. */
function resolve(shape: Shape, side: ShapeSide): Remarks & { readonly end: Shape } {
  const seen = new Set<string>();
  let at = shape;
  let remarks: Remarks = at;
  while (at.kind === "ref" && !seen.has(at.type)) {
    seen.add(at.type);
    at = side.shapeOf(at.type);
    remarks = { ...at, ...remarks };
  }
  const { doc, default: preset, extensions } = remarks;
  return omitUndefined({ end: at, doc, default: preset, extensions });
}

/** `minLength: 0` and `minItems: 0` say nothing. */
function sameConstraints(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): string | undefined {
  const distinguishing = (constraints: typeof a) =>
    JSON.stringify(
      Object.entries(constraints)
        .filter(([key, value]) => !(value === 0 && (key === "minLength" || key === "minItems")))
        .toSorted(([one], [two]) => (one < two ? -1 : 1)),
    );
  return distinguishing(a) === distinguishing(b)
    ? undefined
    : `: ${distinguishing(a)} is not ${distinguishing(b)}`;
}

function presetOf({ default: preset, extensions }: Remarks): string {
  return canonicalText(preset ?? extensions?.["x-default"] ?? null);
}

function formatOf({ extensions }: Shape): string {
  return canonicalText(extensions?.["x-format"] ?? null);
}

function first(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}
