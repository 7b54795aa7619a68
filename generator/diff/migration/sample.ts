import { accepts } from "../../../conformance/values/index.ts";
import { readingOf, resolve, typeOf, type ServiceModel, type Shape } from "../../model/index.ts";
import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";
import type { Change } from "../rules/change.ts";

/** A value of a type: the hinted one if it fits, else the spec's example, else a plain value. */
export function sampleOf(model: ServiceModel, shape: Shape, hint?: unknown): unknown {
  if (hint !== undefined && fits(model, shape, hint)) return hint;
  return exampleOf(model, shape) ?? instanceOf(shape, "minimal", requestReading(model));
}

/** Whether a value is of a type, read as in a request. */
export function fits(model: ServiceModel, shape: Shape, value: unknown): boolean {
  return accepts(shape, value, requestReading(model));
}

function requestReading(model: ServiceModel): SampleReading {
  return readingOf(model, "request", (field) => field.example ?? exampleOf(model, field.shape));
}

function exampleOf(model: ServiceModel, shape: Shape): unknown {
  return shape.kind === "ref" ? typeOf(model, shape).example : undefined;
}

export interface Revisions {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
}

/** The shapes at one place of a payload, result or event before and after. */
export interface Shapes {
  readonly before: Shape;
  readonly now: Shape;
}

/** A value that was right and no longer is; else the one that is there. */
export function refusedValue(
  { old, new: recent }: Revisions,
  { rule, facts }: Change,
  shapes: Shapes,
  present: unknown,
): unknown {
  if (/enum-value-(?:removed|renamed)$/.test(rule)) return facts.from;
  const [before, now] = [resolve(old, shapes.before), resolve(recent, shapes.now)];
  if (before.kind === "array" && now.kind === "array") return refusedItems(old, before, now, present);
  if (before.kind === "object" || before.kind === "array") return present;
  if (now.kind === "object" || now.kind === "array") return present;
  const candidates = [present, ...beyond(now)];
  return candidates.find((each) => fits(old, before, each) && !fits(recent, now, each)) ?? present;
}

type ArrayShape = Extract<Shape, { kind: "array" }>;

function refusedItems(model: ServiceModel, old: ArrayShape, recent: ArrayShape, present: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(present) ? present : [];
  const item = items[0] ?? sampleOf(model, old.items);
  if (recent.unique && !old.unique) return [item, item];
  const { itemsMax, itemsMin = 0 } = recent;
  if (itemsMax !== undefined && itemsMax < 20 && (old.itemsMax ?? Infinity) > itemsMax) {
    return Array.from({ length: itemsMax + 1 }, (_, at) => items[at] ?? item);
  }
  return itemsMin > (old.itemsMin ?? 0) ? items.slice(0, itemsMin - 1) : present;
}

/** Values just beyond what a shape takes. */
function beyond(
  shape: Exclude<ReturnType<typeof resolve>, { kind: "object" | "array" }>,
): readonly unknown[] {
  switch (shape.kind) {
    case "string": {
      const { lengthMax, lengthMin = 0 } = shape;
      const long = lengthMax === undefined || lengthMax > 80 ? [] : ["x".repeat(lengthMax + 1)];
      const short = lengthMin === 0 ? [] : ["x".repeat(lengthMin - 1)];
      return [
        ...long,
        ...short,
        "other",
        "OTHER",
        "2026-03-01T09:30:00+02:00",
        "7",
        " ",
        "two\nlines",
        "two\u2028lines",
      ];
    }
    case "enum":
      return ["other"];
    case "boolean":
      return [true, false];
    case "number":
    case "integer":
    case "bigint":
    case "money": {
      const { minimum, maximum, above, below } = shape;
      const edges = [above, below].filter((edge) => edge !== undefined);
      const high = maximum === undefined ? [] : [maximum + 1];
      const low = minimum === undefined ? [] : [minimum - 1];
      // 17 digits are more than money has.
      return [...high, ...low, ...edges, 0.5, 7, 0.12345678901234568];
    }
    default:
      return [];
  }
}
