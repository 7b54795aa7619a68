import type { NumberShape, Shape } from "../suite/shape.ts";
import { accepts } from "../values/index.ts";
import { isWhole } from "../values/problems.ts";
import { type SampleReading, scalarSamples } from "./scalar-samples.ts";

/** Draws numbers from 0 up to 1. */
type Random = () => number;

/** At least one shape: those of the fields that hold one identifier. */
export type IdentifierShapes = readonly [Shape, ...Shape[]];

/**
 * An identifier that nobody else has drawn: a value that fits all the shapes, and is none of `taken`. The first of `plain`
 * that will do, else a random one. `undefined` where the shapes take too few values for that, or none together.
 */
export function drawnIdentifier(
  given: IdentifierShapes,
  random: Random,
  reading: SampleReading,
  {
    plain = [],
    taken = [],
  }: { readonly plain?: readonly string[]; readonly taken?: readonly unknown[] } = {},
): string | number | undefined {
  const [first, ...others] = given;
  const shape = identifierShape(first, reading);
  const shapes = [shape, ...others.map((other) => identifierShape(other, reading))];
  const fits = (value: unknown): boolean => shapes.every((shape) => accepts(shape, value, reading));
  const isFree = (value: string | number): boolean => fits(value) && !taken.includes(value);
  switch (shape.kind) {
    case "integer":
    case "bigint":
    case "number":
      return tried(() => drawnNumber(shape, random), isFree);
    case "string":
      return plain.find(isFree) ?? tried(() => drawnText(shapes, fits, random, reading), isFree);
    default:
      return undefined;
  }
}

/** The shape of an identifier: that of an item where it is in a list, and without null. */
export function identifierShape(
  shape: Shape,
  reading: Pick<SampleReading, "resolve">,
): ReturnType<SampleReading["resolve"]> {
  const resolved = reading.resolve(shape);
  if (resolved.kind === "array") return identifierShape(resolved.items, reading);
  return resolved.kind === "nullable" ? identifierShape(resolved.shape, reading) : resolved;
}

/** An identifier out of fewer values may be somebody's. */
const valuesMin = 10_000;
const attemptsMax = 4;

function tried<T>(draw: () => T | undefined, isFree: (value: T) => boolean): T | undefined {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const value = draw();
    if (value !== undefined && isFree(value)) return value;
  }
  return undefined;
}

/** From the upper end: services count upwards. */
function drawnNumber(shape: NumberShape, random: Random): number | undefined {
  if (shape.const !== undefined) return undefined;
  const least = Math.ceil(Math.max(shape.minimum ?? 0, shape.above ?? -Infinity));
  const bound = Math.min(shape.maximum ?? Infinity, shape.below ?? Infinity);
  const most = Number.isFinite(bound) ? Math.floor(bound) : Math.max(2 ** 31 - 1, least + valuesMin * 2);
  if (most - least < valuesMin) return undefined;
  const value = most - 1 - Math.floor((random() * (most - least)) / 2);
  return isWhole(shape) || Number.isInteger(value) ? value : undefined;
}

const kinds = ["0123456789", "ABCDEFGHJKMNPQRSTVWXYZ", "abcdefghjkmnpqrstvwxyz"];

/** A text that fits, each of whose digits and letters is drawn anew where another one fits in its place. */
function drawnText(
  shapes: readonly Shape[],
  fits: (value: unknown) => boolean,
  random: Random,
  reading: SampleReading,
): string | undefined {
  const samples = shapes
    .flatMap((shape) => scalarSamples(shape, 16, reading))
    .filter((value): value is string => typeof value === "string" && value.length <= 64 && fits(value));
  const [base] = samples.toSorted((one, other) => other.length - one.length);
  if (base === undefined) return undefined;
  const characters = Array.from(base);
  let values = 1;
  for (const [at, character] of characters.entries()) {
    const kind = kinds.find((each) => each.includes(character));
    if (kind === undefined) continue;
    const drawn = kind[Math.floor(random() * kind.length)] ?? character;
    if (!fits(characters.with(at, drawn).join(""))) continue;
    characters[at] = drawn;
    values *= kind.length;
  }
  return values < valuesMin ? undefined : characters.join("");
}

/**
 * An unknown identifier for each sample in payloads. It fits every field of the sample if possible, else the first of
 * these fields.
 */
export function unknownIdentifiers(
  payloads: readonly Shape[],
  random: Random,
  reading: SampleReading,
  options: { readonly plain: string; readonly taken: readonly unknown[] },
): ReadonlyMap<string, string | number> {
  const drawing = { plain: [options.plain], taken: options.taken };
  const found = new Map<string, string | number>();
  for (const [sample, shapes] of shapesOfSamples(payloads, reading)) {
    const value =
      drawnIdentifier(shapes, random, reading, drawing) ??
      drawnIdentifier([shapes[0]], random, reading, drawing);
    if (value !== undefined) found.set(sample, value);
  }
  return found;
}

/** The shapes of the fields that identify, or refer to, each sample. */
export function shapesOfSamples(
  payloads: readonly Shape[],
  { resolve }: Pick<SampleReading, "resolve">,
): ReadonlyMap<string, IdentifierShapes> {
  const samples = new Map<string, IdentifierShapes>();
  const visited = new Set<Shape>();
  const visit = (shape: Shape): void => {
    const resolved = resolve(shape);
    if (visited.has(resolved)) return;
    visited.add(resolved);
    for (const field of resolved.kind === "object" ? resolved.fields : []) {
      for (const sample of [field.identifies, field.refersTo]) {
        if (sample === undefined) continue;
        const [first = field.shape, ...others] = samples.get(sample) ?? [];
        samples.set(sample, samples.has(sample) ? [first, ...others, field.shape] : [first]);
      }
    }
    for (const part of partsOf(resolved)) visit(part);
  };
  for (const payload of payloads) visit(payload);
  return samples;
}

function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "object":
      return shape.fields.map((field) => field.shape);
    case "array":
      return [shape.items];
    case "nullable":
      return [shape.shape];
    case "map":
      return [shape.values];
    case "union":
      return shape.alternatives;
    case "tagged":
      return shape.cases.map((each) => each.shape);
    case "tuple":
      return shape.items;
    default:
      return [];
  }
}
