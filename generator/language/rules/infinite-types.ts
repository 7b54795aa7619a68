import { firstFields, shapeParts, typeDepthMax } from "../shape-parts.ts";
import type { Scope } from "../references/scope.ts";
import type { FieldGroupSpec, Name, ObjectSpec, RefSpec, ShapeSpec, Spec, TypeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import type { Reporter } from "../diagnostics/index.ts";
import { depthFirst } from "../source/depth-first.ts";

/** A type that cannot do without itself has no finite value. */
export function checkInfiniteTypes({ spec, scope, report }: RuleContext): void {
  const finite = finiteTypes(spec);
  // A name that is declared nowhere has a diagnostic of its own.
  const hasValue = (name: Name): boolean => !scope.types.has(name.value) || finite.has(name.value);
  const done = new Set<TypeSpec>();
  const path: TypeSpec[] = [];
  const visit = (type: TypeSpec): void => {
    if (done.has(type)) return;
    path.push(type);
    for (const needed of needsOf(type.shape, hasValue)) {
      const target = scope.types.get(needed.value);
      if (target === undefined) continue;
      const start = path.indexOf(target);
      if (start === -1) visit(target);
      else {
        const chain = [...path.slice(start), target].map(({ name }) => name.value);
        report("infinite-type", needed.span, { chain, isAlternative: false });
      }
    }
    path.pop();
    done.add(type);
  };
  for (const type of spec.types) visit(type);
  checkOwnAlternatives(spec, scope, report);
}

/** A union whose alternative is the union itself: `A: B|string` with `B: A|integer`. */
function checkOwnAlternatives(spec: Spec, scope: Scope, report: RuleContext["report"]): void {
  const done = new Set<TypeSpec>();
  const path: TypeSpec[] = [];
  const visit = (type: TypeSpec): void => {
    if (done.has(type)) return;
    path.push(type);
    for (const { type: name } of alternativesOf(type.shape)) {
      const target = scope.types.get(name.value);
      if (target === undefined) continue;
      const start = path.indexOf(target);
      const chain = start === -1 ? [] : [...path.slice(start), target];
      if (start === -1) visit(target);
      else if (chain.some(({ shape }) => shape.kind === "union"))
        report("infinite-type", name.span, {
          chain: chain.map((each) => each.name.value),
          isAlternative: true,
        });
    }
    path.pop();
    done.add(type);
  };
  for (const type of spec.types) visit(type);
}

/** The names that stand for the whole value. */
function alternativesOf(shape: ShapeSpec): readonly RefSpec[] {
  if (shape.kind === "ref") return [shape];
  return shape.kind === "union" ? shape.alternatives.flatMap(alternativesOf) : [];
}

/** The names of the types that have a value. */
function finiteTypes({ types }: Spec): ReadonlySet<string> {
  const declared = new Set(types.map(({ name }) => name.value));
  const finite = new Set<string>();
  const hasValue = (name: Name): boolean => !declared.has(name.value) || finite.has(name.value);
  for (let before = -1; before < finite.size;) {
    before = finite.size;
    for (const { name, shape } of types) {
      if (needsOf(shape, hasValue).every(hasValue)) finite.add(name.value);
    }
  }
  return finite;
}

/** The types without a value of which there is no value of this shape. */
function needsOf(shape: ShapeSpec, hasValue: (type: Name) => boolean): readonly Name[] {
  switch (shape.kind) {
    case "ref":
      return [shape.type];
    case "array": {
      const fewest = shape.constraints.find((constraint) => constraint.key === "minItems")?.value;
      return typeof fewest === "number" && fewest > 0 ? needsOf(shape.items, hasValue) : [];
    }
    case "tuple":
      return shape.items.flatMap((item) => needsOf(item, hasValue));
    case "union":
      return needsOfOne(shape.alternatives, hasValue);
    case "tagged":
      return needsOfOne(
        shape.cases.map((each) => each.shape),
        hasValue,
      );
    case "object":
      return [
        ...shape.fields
          .filter((field) => field.optional === undefined && field.requiredWhen === undefined)
          .flatMap((field) => needsOf(field.shape, hasValue)),
        ...[...shape.atLeastOneOf, ...shape.exactlyOneOf].flatMap((group) =>
          needsOfGroup(group, shape, hasValue),
        ),
      ];
    default:
      return [];
  }
}

/** The needs of alternatives, of which one is enough: none where one of them has a value, else the first's. */
function needsOfOne(alternatives: readonly ShapeSpec[], hasValue: (type: Name) => boolean): readonly Name[] {
  const needs = alternatives.map((each) => needsOf(each, hasValue));
  return needs.some((names) => names.every(hasValue)) ? [] : (needs[0] ?? []);
}

/** The needs of a group of which one field is required: none where one of them has a value, else the first's. */
function needsOfGroup(
  group: FieldGroupSpec,
  object: ObjectSpec,
  hasValue: (type: Name) => boolean,
): readonly Name[] {
  const needs = firstFields(group, object).map((field) => needsOf(field.shape, hasValue));
  return needs.some((names) => names.every(hasValue)) ? [] : (needs[0] ?? []);
}

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
