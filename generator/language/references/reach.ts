import type { ObjectSpec, PayloadSpec, RefSpec, ShapeSpec, Spec, TypeSpec, UnknownSpec } from "../spec.ts";
import type { Scope } from "./scope.ts";
import { shapeParts } from "../shape-parts.ts";

export type Direction = "request" | "response" | "event";

/** The types that an interface's methods and events reach. */
export interface Reach {
  readonly types: ReadonlyMap<string, ReadonlySet<Direction>>;
  /** Every object that travels, in place or named. */
  readonly objects: ReadonlyMap<ObjectSpec, ReadonlySet<Direction>>;
  /** In which directions each shape travels that is made of several others, or is null. */
  readonly composed: ReadonlyMap<ShapeSpec, ReadonlySet<Direction>>;
}

/** Follows the references of every payload, result and event. Linear in the size of the spec. */
export function reachOf(spec: Spec, scope: Scope): Reach {
  const types = new Map<string, Set<Direction>>();
  const objects = new Map<ObjectSpec, Set<Direction>>();
  const composed = new Map<ShapeSpec, Set<Direction>>();
  /** The shapes directly inside one, or at the end of its name, where they were not yet visited in a direction. */
  const partsOf = (shape: ShapeSpec | PayloadSpec, direction: Direction): readonly ShapeSpec[] => {
    switch (shape.kind) {
      case "object":
        return isNew(objects, shape, direction) ? shapeParts(shape) : [];
      case "forms":
        return shape.forms.map((form) => form.shape);
      case "union":
      case "tagged":
      case "null":
        isNew(composed, shape, direction);
        return shapeParts(shape);
      default:
        return shapeParts(shape);
      case "ref": {
        const target = scope.types.get(shape.type.value);
        return target !== undefined && isNew(types, target.name.value, direction) ? [target.shape] : [];
      }
    }
  };
  const visit = (root: ShapeSpec | PayloadSpec, direction: Direction): void => {
    const left = [root];
    for (let shape = left.pop(); shape !== undefined; shape = left.pop())
      left.push(...partsOf(shape, direction));
  };
  for (const method of spec.methods) {
    visit(method.payload, "request");
    visit(method.result, "response");
  }
  for (const event of eventsOf(spec, scope)) visit(event.payload, "event");
  for (const { data } of scope.errors.values()) if (data !== undefined) visit(data, "response");
  return { types, objects, composed };
}

function isNew<K>(seen: Map<K, Set<Direction>>, key: K, direction: Direction): boolean {
  const directions = seen.get(key);
  if (directions === undefined) seen.set(key, new Set([direction]));
  else if (directions.has(direction)) return false;
  else directions.add(direction);
  return true;
}

/** The spec's own events and those of used specs that its methods cause. */
export function eventsOf(spec: Spec, scope: Scope) {
  const names = new Set([
    ...spec.events.map((event) => event.name.value),
    ...spec.methods.flatMap((method) => method.emits.map((event) => event.value)),
  ]);
  return [...names].flatMap((name) => scope.events.get(name) ?? []);
}

/** The type at the end of a chain of names; undefined where the chain breaks or runs in a circle. */
export function resolveShape(
  shape: ShapeSpec,
  scope: Pick<Scope, "types">,
): Exclude<ShapeSpec, RefSpec | UnknownSpec> | undefined {
  const seen = new Set<TypeSpec>();
  let at = shape;
  while (at.kind === "ref") {
    const target = scope.types.get(at.type.value);
    if (target === undefined || seen.has(target)) return undefined;
    seen.add(target);
    at = target.shape;
  }
  return at.kind === "unknown" ? undefined : at;
}
