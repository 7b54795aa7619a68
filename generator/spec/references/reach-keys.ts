import { keyOf, oncePer } from "../../source/once-per.ts";
import { shapeParts } from "../shape-parts.ts";
import type { ShapeSpec, TypeSpec } from "../spec.ts";
import type { Scope } from "./scope.ts";

/** The key of the types that a shape reaches: with the same key, each of them is the same object. */
export type ReachKeyOf = (shape: ShapeSpec) => string;

/** For what is made of a shape and the types that it reaches, and made anew only where one of them has changed. */
export const reachKeys = oncePer(({ types }: Pick<Scope, "types">): ReachKeyOf => {
  const ofType = oncePer((type: TypeSpec): string => {
    const reached = new Set([type]);
    for (const each of reached)
      for (const name of namesIn(each.shape)) {
        const next = types.get(name);
        if (next !== undefined) reached.add(next);
      }
    return [...reached].map(keyOf).join(" ");
  });
  return (shape) =>
    namesIn(shape)
      .map((name) => {
        const type = types.get(name);
        return type === undefined ? name : ofType(type);
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
