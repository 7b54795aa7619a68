import { languageOf } from "../../protocols/languages.ts";
import { patternShape } from "../patterns/pattern-shape.ts";
import { soundPattern } from "../patterns/patterns.ts";
import { firstFields, shapeParts } from "../shape-parts.ts";
import type { ConstraintSpec, ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** A value costs as much, however short it is. */
const valueSizeMin = 16;

/**
 * Sizes that a spec asks for. Samples, mocks and tests make values of every type. A type whose smallest value is
 * beyond any request is therefore refused before one is made. False where it was.
 */
export function checkSizes(context: RuleContext): boolean {
  const { own, spec, scope, shapes, report } = context;
  const { valueSizeMax: most, requestMax } = languageOf(own.wire.protocol);
  const sizeOf = sizeReader(context, most);
  const isTooLarge = (shape: ShapeSpec): boolean => sizeOf(shape) > most;
  const isOwn = new Set(spec.types);
  // A name stands for a type that is reported where it is written, unless that is another spec.
  const causes = (shape: ShapeSpec): readonly ShapeSpec[] => {
    const target = shape.kind === "ref" ? scope.types.get(shape.type.value) : undefined;
    return target !== undefined && isOwn.has(target) ? [target.shape] : shapeParts(shape);
  };
  const tooLarge = shapes.filter((shape) => isTooLarge(shape) && !causes(shape).some(isTooLarge));
  for (const shape of tooLarge) {
    if (shape.kind === "unknown") continue;
    const cause = shape.constraints.find(({ key }) => ["minItems", "minLength", "pattern"].includes(key));
    report("value-too-large", cause?.span ?? shape.span, { most });
  }
  if (requestMax !== undefined) checkRequests(requestMax, context);
  return tooLarge.length === 0;
}

/** Reads how many characters the smallest value of a shape has, as JSON; no more than just beyond a limit. */
function sizeReader({ scope }: RuleContext, most: number): (shape: ShapeSpec) => number {
  const known = new Map<ShapeSpec, number>();
  const sizeOf = (shape: ShapeSpec): number => {
    const found = known.get(shape);
    if (found !== undefined) return found;
    // A type that needs itself has no value at all, which is reported elsewhere.
    known.set(shape, 0);
    const size = Math.min(most + 1, Math.max(valueSizeMin, measured(shape)));
    known.set(shape, size);
    return size;
  };
  const sum = (shapes: readonly ShapeSpec[]): number =>
    shapes.reduce((total, each) => total + sizeOf(each), 0);
  const leastOf = (shapes: readonly ShapeSpec[]): number =>
    shapes.reduce((least, each) => Math.min(least, sizeOf(each)), Infinity);
  const measured = (shape: ShapeSpec): number => {
    switch (shape.kind) {
      case "scalar":
        return leastCharacters(shape.constraints);
      case "array":
        return numberAt(shape.constraints, "minItems") * sizeOf(shape.items);
      case "ref": {
        const target = scope.types.get(shape.type.value);
        return target === undefined ? 0 : sizeOf(target.shape);
      }
      case "object": {
        const groups = [...shape.atLeastOneOf, ...shape.exactlyOneOf];
        const needed = shape.fields.filter(({ optional }) => optional === undefined);
        const chosen = groups.flatMap((group) => firstFields(group, shape).slice(0, 1));
        return sum([...new Set([...needed, ...chosen])].map((field) => field.shape));
      }
      case "tuple":
        return sum(shape.items);
      case "union":
        return leastOf(shape.alternatives);
      case "tagged":
        return leastOf(shape.cases.map((each) => each.shape));
      default:
        return 0;
    }
  };
  return sizeOf;
}

function leastCharacters(constraints: readonly ConstraintSpec[]): number {
  const pattern = constraints.find(({ key }) => key === "pattern")?.value;
  const sound = typeof pattern === "string" ? soundPattern(pattern) : undefined;
  return Math.max(numberAt(constraints, "minLength"), sound === undefined ? 0 : patternShape(sound).least);
}

function numberAt(constraints: readonly ConstraintSpec[], wanted: string): number {
  const value = constraints.find(({ key }) => key === wanted)?.value;
  return typeof value === "number" ? value : 0;
}

/** Texts and lists that no request holds. */
function checkRequests(
  { text, items }: { readonly text: number; readonly items: number },
  { spec, scope, report }: RuleContext,
): void {
  const seen = new Set<ShapeSpec>();
  const left = spec.methods.flatMap(({ payload }): readonly ShapeSpec[] =>
    payload.kind === "forms" ? payload.forms.map((form) => form.shape) : [payload],
  );
  for (let shape = left.pop(); shape !== undefined; shape = left.pop()) {
    if (shape.kind === "unknown" || seen.has(shape)) continue;
    seen.add(shape);
    for (const { key, value, span } of shape.constraints) {
      const most = key.endsWith("Length") ? text : items;
      if (/^(?:min|max)(?:Length|Items)$/.test(key) && Number(value) > most)
        report("beyond-envelope", span, { key, most });
      if (key === "pattern" && leastCharacters(shape.constraints) > text)
        report("beyond-envelope", span, { key, most: text });
    }
    const target = shape.kind === "ref" ? scope.types.get(shape.type.value) : undefined;
    left.push(...shapeParts(shape), ...(target === undefined ? [] : [target.shape]));
  }
}
