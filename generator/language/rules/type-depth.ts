import type { Reporter } from "../diagnostics/index.ts";
import { depthFirst } from "../source/depth-first.ts";
import type { Scope } from "../references/scope.ts";
import { shapeParts, typeDepthMax } from "../shape-parts.ts";
import type { ShapeSpec, Spec, TypeSpec } from "../spec.ts";

/**
 * Refuses types that refer to one another without end: whatever walks them would run out of stack. False where it
 * did. The compared depth is never less than the longest way through the types without going round.
 */
export function checkTypeDepth(spec: Spec, scope: Scope, report: Reporter["report"]): boolean {
  const uses = new Map([...scope.types.values()].map((type) => [type, usesOf(type, scope)] as const));
  const depths = new Map<TypeSpec, number>();
  for (const group of depthFirst(uses.keys(), (type) => uses.get(type) ?? []).circles) {
    const members = new Set(group);
    // A type that is nothing but another's name is a step, too.
    const own = sumOf(group.map(({ shape }) => (shape.kind === "ref" ? 1 : nestingOf(shape))));
    const beyond = group
      .flatMap((type) => [...(uses.get(type) ?? [])])
      .map((used) => (members.has(used) ? 0 : (depths.get(used) ?? 0)));
    const depth = own + beyond.reduce((most, each) => Math.max(most, each), 0);
    for (const type of group) depths.set(type, depth);
  }
  const deepest = spec.types.filter((type) => (depths.get(type) ?? 0) > typeDepthMax);
  const first = deepest.toSorted((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0))[0];
  if (first === undefined) return true;
  const { name } = first;
  report("types-too-deep", name.span, {
    name: name.value,
    depth: depths.get(first) ?? 0,
    depthMax: typeDepthMax,
  });
  return false;
}

function usesOf({ shape }: TypeSpec, scope: Scope): ReadonlySet<TypeSpec> {
  return new Set(namesIn(shape).flatMap((name) => scope.types.get(name) ?? []));
}

function namesIn(shape: ShapeSpec): readonly string[] {
  if (shape.kind === "ref") return [shape.type.value];
  return shapeParts(shape).flatMap(namesIn);
}

/** How many objects, arrays and the like stand in one another; what a name stands for is counted where it is defined. */
function nestingOf(shape: ShapeSpec): number {
  const parts = shapeParts(shape);
  return parts.reduce((most, part) => Math.max(most, 1 + nestingOf(part)), 0);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
