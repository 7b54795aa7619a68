import { hash } from "node:crypto";
import { depthFirst } from "../source/depth-first.ts";
import { keyOf, oncePer } from "../source/once-per.ts";
import { shapeParts } from "../shape-parts.ts";
import type { ShapeSpec, TypeSpec } from "../spec.ts";
import type { Scope } from "./scope.ts";

/** The key of the types that a shape reaches: with the same key, each of them is the same object. */
export type ReachKeyOf = (shape: ShapeSpec) => string;

/** For what is made of a shape and the types that it reaches, and made anew only where one of them has changed. */
export const reachKeys = oncePer(({ types }: Pick<Scope, "types">): ReachKeyOf => {
  const usesOf = (type: TypeSpec): readonly TypeSpec[] =>
    namesIn(type.shape).flatMap((name) => types.get(name) ?? []);
  const keys = new Map<TypeSpec, string>();
  for (const circle of depthFirst(types.values(), usesOf).circles) {
    const beyond = circle.flatMap(usesOf).flatMap((type) => keys.get(type) ?? []);
    // Digests, because a key that lists all types that are reached makes a big spec as long as the square of it.
    const key = hash("sha256", [...circle.map(keyOf), ...new Set(beyond)].join(" "), "base64url");
    for (const type of circle) keys.set(type, key);
  }
  return (shape) =>
    namesIn(shape)
      .map((name) => {
        const type = types.get(name);
        return (type && keys.get(type)) ?? name;
      })
      .join(", ");
});

const namesIn = oncePer((shape: ShapeSpec): readonly string[] => {
  const names = new Set<string>();
  const visit = (part: ShapeSpec): void => {
    if (part.kind === "ref") names.add(part.type.value);
    for (const inner of shapeParts(part)) visit(inner);
  };
  visit(shape);
  return [...names];
});
