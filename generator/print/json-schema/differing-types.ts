import type { Shape, TypeModel } from "../../model/service-model.ts";

import { shapeSchema, type ShapeContext } from "./shape.ts";

/** Names of the types whose two directions differ, in themselves or in a type they refer to: of those that both use. */
export function differingTypes(
  used: readonly TypeModel[],
  types: ReadonlyMap<string, TypeModel>,
  typed: boolean,
): ReadonlySet<string> {
  const referrers = new Map<string, Set<string>>();
  const pending: string[] = [];
  for (const type of used) {
    const { isDiffering, refersTo } = seenInBoth(type, types, typed);
    for (const name of refersTo) referrers.set(name, (referrers.get(name) ?? new Set()).add(type.name));
    if (isDiffering) pending.push(type.name);
  }
  const differing = new Set(pending);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    for (const referrer of referrers.get(name) ?? []) {
      if (differing.has(referrer)) continue;
      differing.add(referrer);
      pending.push(referrer);
    }
  }
  return differing;
}

/** Whether the two directions of a type differ in itself, and the types that it refers to. */
interface DirectionsSeen {
  readonly isDiffering: boolean;
  readonly refersTo: ReadonlySet<string>;
}

function seenInBoth(type: TypeModel, types: ReadonlyMap<string, TypeModel>, typed: boolean): DirectionsSeen {
  const refersTo = new Set<string>();
  const print = (direction: ShapeContext["direction"]) =>
    JSON.stringify(
      shapeSchema(type.shape, {
        direction,
        formatPatterns: false,
        typed,
        refTo: (name) => {
          refersTo.add(name);
          return name;
        },
        resolve: (shape) => resolve(types, shape),
        annotate: () => ({}),
      }),
    );
  return { isDiffering: print("request") !== print("response"), refersTo };
}

/** The type of a name. Throws where the model has none. */
export function typeNamed(types: ReadonlyMap<string, TypeModel>, name: string): TypeModel {
  const type = types.get(name);
  if (type === undefined) throw new Error(`the model has no type ${name}, but a shape refers to it`);
  return type;
}

/** A shape with references followed to their end. */
export function resolve(types: ReadonlyMap<string, TypeModel>, shape: Shape): Shape {
  const seen = new Set<string>();
  let at = shape;
  while (at.kind === "ref" && !seen.has(at.type)) {
    seen.add(at.type);
    at = typeNamed(types, at.type).shape;
  }
  return at;
}
