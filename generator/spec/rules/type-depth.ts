import type { Reporter } from "../../diagnostics/index.ts";
import type { Scope } from "../references/scope.ts";
import { shapeParts, typeDepthMax } from "../shape-parts.ts";
import type { ShapeSpec, Spec, TypeSpec } from "../spec.ts";

/**
 * Refuses types that refer to one another without end: whatever walks them would run out of stack. False where it
 * did. What is held against the limit is never less than the longest way through the types, without going round.
 */
export function checkTypeDepth(spec: Spec, scope: Scope, report: Reporter["report"]): boolean {
  const uses = new Map([...scope.types.values()].map((type) => [type, usesOf(type, scope)] as const));
  const depths = new Map<TypeSpec, number>();
  for (const group of groupsOf(uses)) {
    const members = new Set(group);
    const own = sumOf(group.map((type) => nestingOf(type.shape)));
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
  return parts.length === 0 ? 0 : 1 + Math.max(...parts.map(nestingOf));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

interface Visit {
  readonly type: TypeSpec;
  readonly index: number;
  readonly left: TypeSpec[];
  /** The lowest index that is reached from it. */
  low: number;
}

/** The types that reach one another, each group after those that it uses (Tarjan's algorithm, without recursion). */
function groupsOf(uses: ReadonlyMap<TypeSpec, ReadonlySet<TypeSpec>>): readonly (readonly TypeSpec[])[] {
  const groups: TypeSpec[][] = [];
  const visits = new Map<TypeSpec, Visit>();
  const ungrouped: TypeSpec[] = [];
  const isUngrouped = new Set<TypeSpec>();
  const visited = (type: TypeSpec): Visit => {
    const index = visits.size;
    const visit = { type, index, left: [...(uses.get(type) ?? [])], low: index };
    visits.set(type, visit);
    ungrouped.push(type);
    isUngrouped.add(type);
    return visit;
  };
  for (const start of uses.keys()) {
    if (visits.has(start)) continue;
    const path = [visited(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.left.pop();
      const known = next && visits.get(next);
      if (next !== undefined && known === undefined) {
        path.push(visited(next));
        continue;
      }
      if (known !== undefined && isUngrouped.has(known.type)) visit.low = Math.min(visit.low, known.index);
      if (next !== undefined) continue;
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) before.low = Math.min(before.low, visit.low);
      if (visit.low !== visit.index) continue;
      const group = ungrouped.splice(ungrouped.indexOf(visit.type));
      for (const type of group) isUngrouped.delete(type);
      groups.push(group);
    }
  }
  return groups;
}
