import { isNumber } from "./scalars.ts";
import { oncePer } from "../../../language/source/once-per.ts";
import { resolve, type ServiceModel, type Shape, type TypeModel } from "../../../model/index.ts";
import { typeText, code } from "../phrases.ts";
import {
  calledIn,
  placesAt,
  type CompareShapes,
  type Resolved,
  type Step,
  type ValueWalk,
} from "./value-walk.ts";

/**
 * Compares the shapes that standard interfaces alone have. False where neither revision has one: then the shapes are
 * compared as those of every interface.
 */
export function compareStandardShapes(
  walk: ValueWalk,
  step: Step,
  old: Resolved,
  recent: Resolved,
  compare: CompareShapes,
): boolean {
  const inside = (part: string): Step => ({
    ...step,
    path: `${step.path}${part}`,
    types: {},
    requiredBefore: false,
    requiredNow: false,
  });
  const changed = (family: "type-changed" | "type-widened" | "type-narrowed"): void => {
    const from = code(step.types?.old ?? typeText(old));
    const to = code(step.types?.new ?? typeText(recent));
    walk.find(family, step, { facts: { name: step.name, from, to }, ...placesAt(step, "type") });
  };
  const [before, now] = [step.types?.old, step.types?.new];
  const wider = alternativeLike({ shape: old, name: before, there: nameNow(walk, before) }, recent, walk.new);
  const narrower = alternativeLike({ shape: recent, name: now, there: nameBefore(walk, now) }, old, walk.old);
  if (old.kind === "json" || recent.kind === "json") {
    if (old.kind !== recent.kind) changed(recent.kind === "json" ? "type-widened" : "type-narrowed");
  } else if (old.kind === "nullable" || recent.kind === "nullable") {
    if (old.kind !== recent.kind) changed(recent.kind === "nullable" ? "type-widened" : "type-narrowed");
    compare(walk, step, withoutNull(old), withoutNull(recent));
  } else if (old.kind === "map" && recent.kind === "map") {
    if (old.keys !== undefined && recent.keys !== undefined)
      compare(walk, { ...inside("/(name)"), name: `names of ${step.name}` }, old.keys, recent.keys);
    else if (old.keys !== recent.keys) changed(recent.keys === undefined ? "type-widened" : "type-narrowed");
    compare(walk, inside("/*"), old.values, recent.values);
  } else if (old.kind === "tuple" && recent.kind === "tuple" && old.items.length === recent.items.length) {
    for (const [at, item] of old.items.entries()) {
      const now = recent.items[at];
      if (now !== undefined) compare(walk, inside(`/${at}`), item, now);
    }
  } else if (old.kind === "tuple" && recent.kind === "array") {
    compareTupled(walk, { step, tuple: old, array: recent, isArrayNow: true, inside, changed }, compare);
  } else if (old.kind === "array" && recent.kind === "tuple") {
    compareTupled(walk, { step, tuple: recent, array: old, isArrayNow: false, inside, changed }, compare);
  } else if (wider !== undefined) {
    changed(refusesSome(recent, walk.new) ? "type-changed" : "type-widened");
    compare(walk, inside(`[${typeText(wider.of)}]`), wider.shape, wider.of);
  } else if (narrower !== undefined) {
    changed(refusesSome(old, walk.old) ? "type-changed" : "type-narrowed");
    compare(walk, inside(`[${typeText(narrower.shape)}]`), narrower.of, narrower.shape);
  } else if (isChoice(old) && isChoice(recent) && old.kind === recent.kind) {
    compareChoices(walk, { step, old, recent, inside, changed }, compare);
  } else {
    if (![old, recent].some(({ kind }) => ["null", "map", "tuple", "union", "tagged"].includes(kind)))
      return false;
    if (!(old.kind === "null" && recent.kind === "null")) changed("type-changed");
  }
  return true;
}

/** The present name of a type of the old revision. */
function nameNow({ comparison }: ValueWalk, name: string | undefined): string | undefined {
  return name === undefined ? undefined : namesNow(comparison.types).get(name);
}

const namesNow = oncePer(
  (types: ReadonlyMap<string, TypeModel>) => new Map([...types].map(([name, old]) => [old.name, name])),
);

/** The former name of a type of the new revision. */
function nameBefore({ comparison }: ValueWalk, name: string | undefined): string | undefined {
  return name === undefined ? undefined : comparison.types.get(name)?.name;
}

/** A shape, the name of its type where it has one, and that of the same type in the other revision. */
interface Single {
  readonly shape: Resolved;
  readonly name: string | undefined;
  readonly there: string | undefined;
}

interface Alternative {
  /** A reference where the type has a name. */
  readonly shape: Shape;
  readonly of: Shape;
}

/**
 * The shape that corresponds to an alternative of a union: of the same type, written alike, or the only one of its
 * JSON type. Undefined if there is no such shape.
 */
function alternativeLike(
  { shape, name, there }: Single,
  union: Resolved,
  model: ServiceModel,
): Alternative | undefined {
  if (union.kind !== "union") return undefined;
  const { alternatives } = union;
  const own: Shape = name === undefined ? shape : { kind: "ref", type: name };
  const wanted = there ?? typeText(own);
  const same = alternatives.find((each) => typeText(each) === wanted);
  if (same !== undefined) return { shape: own, of: same };
  const type = jsonType(shape);
  const [of, ...others] = alternatives.filter((each) => type === jsonType(resolve(model, each)));
  return type === undefined || of === undefined || others.length > 0 ? undefined : { shape: own, of };
}

interface Tupled {
  readonly step: Step;
  readonly tuple: Extract<Shape, { kind: "tuple" }>;
  readonly array: Extract<Shape, { kind: "array" }>;
  /** Whether the array is the newer of the two. */
  readonly isArrayNow: boolean;
  inside(part: string): Step;
  changed(family: "type-changed" | "type-widened" | "type-narrowed"): void;
}

/** Compares a tuple with an array: where that may have as many items, they are those of the tuple, one by one. */
function compareTupled(walk: ValueWalk, tupled: Tupled, compare: CompareShapes): void {
  const { step, tuple, array, isArrayNow, inside, changed } = tupled;
  const { itemsMin = 0, itemsMax = Infinity, unique } = array;
  const count = tuple.items.length;
  if (count < itemsMin || count > itemsMax || (unique && count > 1)) {
    changed("type-changed");
    return;
  }
  const isFixed = itemsMin === itemsMax;
  if (isFixed) {
    const texts = [typeText(tuple), typeText(array)].map(code);
    const [from = "", to = ""] = isArrayNow ? texts : texts.toReversed();
    walk.comparison.report("constraint-restated", {
      path: step.path,
      facts: { ...calledIn(step), from, to },
      ...placesAt(step, "type"),
    });
  } else changed(isArrayNow ? "type-widened" : "type-narrowed");
  for (const [at, item] of tuple.items.entries()) {
    const [before, now] = isArrayNow ? [item, array.items] : [array.items, item];
    compare(walk, inside(`/${at}`), before, now);
  }
}

function withoutNull(shape: Shape): Shape {
  return shape.kind === "nullable" ? shape.shape : shape;
}

type Choice = Extract<Shape, { kind: "union" | "tagged" }>;

function isChoice(shape: Shape): shape is Choice {
  return shape.kind === "union" || shape.kind === "tagged";
}

/** Alternatives by what tells them apart: the tag, or the type as it is written. */
function alternativesOf(choice: Choice): ReadonlyMap<string, Shape> {
  return choice.kind === "tagged"
    ? new Map(choice.cases.map(({ tag, shape }) => [tag, shape]))
    : new Map(choice.alternatives.map((shape) => [typeText(shape), shape]));
}

interface Choices {
  readonly step: Step;
  readonly old: Choice;
  readonly recent: Choice;
  inside(part: string): Step;
  changed(family: "type-changed" | "type-widened" | "type-narrowed"): void;
}

function compareChoices(walk: ValueWalk, choices: Choices, compare: CompareShapes): void {
  const { old, recent, inside, changed } = choices;
  const [before, now] = [alternativesOf(old), alternativesOf(recent)];
  const isUnion = recent.kind === "union";
  const pairs = [...before].flatMap(([name, shape]) => {
    // A type of a union is the same by whatever name; what tells others apart is their tag.
    const successor = shape.kind === "ref" && isUnion ? nameNow(walk, shape.type) : undefined;
    const same = [successor, name].find((each) => each !== undefined && now.has(each));
    const like = same ?? likeName(shape, before, now);
    return like === undefined ? [] : [[name, like] as const];
  });
  const [oldNames, newNames] = [new Set(pairs.map(([name]) => name)), new Set(pairs.map(([, name]) => name))];
  const added = [...now.keys()].filter((name) => !newNames.has(name));
  const removed = [...before.keys()].filter((name) => !oldNames.has(name));
  const isSelectedOtherwise =
    old.kind === "tagged" && recent.kind === "tagged" && old.discriminator !== recent.discriminator;
  const isExclusive = refusesSome(recent, walk.new);
  const wasExclusive = refusesSome(old, walk.old);
  const isWider = added.length > 0 || (wasExclusive && !isExclusive);
  const isNarrower = removed.length > 0 || (isExclusive && !wasExclusive);
  if (isSelectedOtherwise || (isWider && isNarrower)) changed("type-changed");
  else if (isWider) changed("type-widened");
  else if (isNarrower) changed("type-narrowed");
  for (const [name, nameNow] of pairs) {
    const [shape, same] = [before.get(name), now.get(nameNow)];
    if (shape !== undefined && same !== undefined) compare(walk, inside(`[${nameNow}]`), shape, same);
  }
}

/** Whether a value may be refused because it fits two alternatives: not where each is of another type of JSON. */
function refusesSome(choice: Resolved, model: ServiceModel): boolean {
  if (choice.kind !== "union" || !choice.exactlyOne) return false;
  const kinds = choice.alternatives.map((each) => jsonType(resolve(model, each)));
  return kinds.includes(undefined) || new Set(kinds).size < kinds.length;
}

/** The only type of JSON that a shape's values are of; undefined where there may be several. */
function jsonType(shape: Resolved): string | undefined {
  if (["string", "boolean", "null", "object", "array"].includes(shape.kind)) return shape.kind;
  if (shape.kind === "tuple") return "array";
  if (shape.kind === "enum") {
    const [type, ...others] = new Set(shape.values.map(({ value }) => typeof value));
    return others.length > 0 ? undefined : type;
  }
  return isNumber(shape) ? "number" : undefined;
}

/** The alternative that a scalar has become: the only other one on each side that JSON writes alike. */
function likeName(
  shape: Shape,
  before: ReadonlyMap<string, Shape>,
  now: ReadonlyMap<string, Shape>,
): string | undefined {
  const kind = jsonKind(shape);
  if (kind === undefined) return undefined;
  const alike = (all: ReadonlyMap<string, Shape>): readonly string[] =>
    [...all].flatMap(([name, each]) => (jsonKind(each) === kind ? [name] : []));
  const [old, recent] = [alike(before), alike(now)];
  return old.length === 1 && recent.length === 1 ? recent[0] : undefined;
}

function jsonKind(shape: Shape): "number" | "string" | undefined {
  if (isNumber(shape)) return "number";
  return shape.kind === "string" ? "string" : undefined;
}
