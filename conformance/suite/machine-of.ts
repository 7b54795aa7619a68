import { payloadFields } from "./payload-shapes.ts";
import type { Shape } from "./shape.ts";
import type { MethodEntry, StateEntry, Suite } from "./suite.ts";

/** The state machine over a field's values, where there is one: of its type, or of one of which it takes some values. */
export function machineOf({ shape }: { readonly shape: Shape }, suite: Suite): StateEntry | undefined {
  if (shape.kind !== "ref") return undefined;
  return suite.states.find(({ type }) => type === shape.type) ?? narrowerTypes(suite).get(shape.type);
}

/** The values of an enum type; none of another. */
export function valuesOfEnum(shape: Shape, { types }: Suite): readonly unknown[] {
  const type = shape.kind === "ref" ? types[shape.type] : shape;
  return type?.kind === "enum" ? type.values.map(({ value }) => value) : [];
}

const known = new WeakMap<Suite, ReadonlyMap<string, StateEntry>>();

/** A request may be allowed to ask for some states only: the types of such fields, and the machine that each moves. */
function narrowerTypes(suite: Suite): ReadonlyMap<string, StateEntry> {
  const found = known.get(suite) ?? new Map(suite.methods.flatMap((method) => askedOf(method, suite)));
  known.set(suite, found);
  return found;
}

function askedOf({ name, payload }: MethodEntry, suite: Suite): readonly (readonly [string, StateEntry])[] {
  const moved = suite.states.filter(({ transitions }) =>
    transitions.some(({ by, from }) => by === name && from !== "none"),
  );
  return payloadFields(payload).flatMap(({ shape }) => {
    const asked = valuesOfEnum(shape, suite);
    if (shape.kind !== "ref" || asked.length === 0) return [];
    const machine = moved.find(({ type }) => {
      const states = valuesOfEnum({ kind: "ref", type }, suite);
      return type !== shape.type && asked.every((value) => states.includes(value));
    });
    return machine === undefined ? [] : [[shape.type, machine] as const];
  });
}
