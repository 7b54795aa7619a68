import { payloadShapes } from "./resolve.ts";
import { oncePer } from "../language/source/once-per.ts";
import { shapeParts } from "../language/shape-parts.ts";
import type { ServiceModel, Shape } from "./service-model.ts";

/** Whether a value of the shape may hold something, however deep. */
export type Holds = (model: ServiceModel, shape: Shape) => boolean;

export const holdsBigint = holding(["bigint"]);
const holdsMoney = holding(["money"]);
/** Whether a value may hold a number that is given to handlers with all its digits. */
export const holdsExactNumber = holding(["bigint", "money"]);
/** Whether the service has to know more of a value than its JSON before it sends it. */
export const holdsDeclared = holding(["bigint", "money", "object", "tagged"]);

function holding(kinds: readonly Shape["kind"][]): Holds {
  const holders = oncePer((model: ServiceModel) => typesHolding(model, kinds));
  const holds: Holds = (model, shape) =>
    shape.kind === "ref"
      ? holders(model).has(shape.type)
      : kinds.includes(shape.kind) || shapeParts(shape).some((part) => holds(model, part));
  return holds;
}

/** The names of the types whose values may hold one: those that have it, and those that lead to one of them. */
function typesHolding(model: ServiceModel, kinds: readonly Shape["kind"][]): ReadonlySet<string> {
  const holders = new Set<string>();
  const uses: { readonly used: string; readonly user: string }[] = [];
  const visit = (shape: Shape, user: string): void => {
    if (kinds.includes(shape.kind)) holders.add(user);
    if (shape.kind === "ref") uses.push({ used: shape.type, user });
    for (const part of shapeParts(shape)) visit(part, user);
  };
  for (const { name, shape } of model.types) visit(shape, name);
  const usersOf = Map.groupBy(uses, ({ used }) => used);
  // The set grows while it is walked.
  for (const holder of holders) for (const { user } of usersOf.get(holder) ?? []) holders.add(user);
  return holders;
}

/** Whether anything that callers send or get holds an amount of money. */
export function hasMoney(model: ServiceModel): boolean {
  const errors = model.errors.flatMap(({ data }) => data ?? []);
  const shapes = [
    ...model.methods.flatMap(({ payload, result }) => [...payloadShapes(payload), result]),
    ...model.events.map(({ payload }) => payload),
    ...errors,
  ];
  return shapes.some((shape) => holdsMoney(model, shape));
}
