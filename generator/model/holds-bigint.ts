import { oncePer } from "../source/once-per.ts";
import { shapeParts } from "../spec/shape-parts.ts";
import type { ServiceModel, Shape } from "./service-model.ts";

/** Whether a value of the shape may hold a `bigint`, however deep. */
export function holdsBigint(model: ServiceModel, shape: Shape): boolean {
  if (shape.kind === "ref") return typesWithBigint(model).has(shape.type);
  return shape.kind === "bigint" || shapeParts(shape).some((part) => holdsBigint(model, part));
}

/** The names of the types whose values may hold one: those that have it, and those that lead to one of them. */
const typesWithBigint = oncePer((model: ServiceModel): ReadonlySet<string> => {
  const holders = new Set<string>();
  const uses: { readonly used: string; readonly user: string }[] = [];
  const visit = (shape: Shape, user: string): void => {
    if (shape.kind === "bigint") holders.add(user);
    if (shape.kind === "ref") uses.push({ used: shape.type, user });
    for (const part of shapeParts(shape)) visit(part, user);
  };
  for (const { name, shape } of model.types) visit(shape, name);
  const usersOf = Map.groupBy(uses, ({ used }) => used);
  // The set grows while it is walked.
  for (const holder of holders) for (const { user } of usersOf.get(holder) ?? []) holders.add(user);
  return holders;
});
