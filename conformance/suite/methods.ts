import { edited } from "../values/json.ts";
import type { RequestPlan } from "./case.ts";
import type { FieldShape, ObjectShape, Reading, Shape } from "./shape.ts";
import type { FlatTransportEntry, HeldValue, MethodEntry, PayloadShape, StateEntry, Suite } from "./suite.ts";

/** The objects that a payload may be: one for each form. */
export function payloadShapes(payload: PayloadShape): readonly ObjectShape[] {
  return payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
}

/** Fields of all forms of a payload. */
export function payloadFields(payload: PayloadShape): readonly FieldShape[] {
  return payloadShapes(payload).flatMap(({ fields }) => fields);
}

/** Follows references to the types of a suite, to their end. Throws where the suite has no such type: it is wrong then. */
export function shapeResolver({ types }: Pick<Suite, "types">): Reading["resolve"] {
  return (shape) => {
    let at = shape;
    while (at.kind === "ref") {
      const target = types[at.type];
      if (target === undefined) throw new Error(`the suite has no type ${at.type}`);
      at = target;
    }
    return at;
  };
}

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

/** Rules of all fields: how they are spelled, and what an empty one means. */
const generalRules: readonly string[] = ["request-spellings", "absent-null-empty"];

/** The decisions that are about a field itself: what may be in it is not what the document alone says. */
export function ownDecisions(
  { decisions }: Pick<FieldShape, "decisions">,
  { rules }: Pick<Suite, "rules">,
): readonly string[] {
  const shared = generalRules.flatMap((rule) => rules[rule]?.decisions ?? []);
  return decisions.filter((decision) => !shared.includes(decision));
}

/** The parts of an operation that say for which bodies it is. */
interface Selectable {
  /** Its own path, where it has one. */
  readonly path?: string;
  readonly transport: { readonly kind: "enveloped" | "json-rpc" | "own" } | FlatTransportEntry;
}

/** The operations with flat bodies, in the order in which a body is held against them (D-22). */
export function flatMethods<M extends Selectable>(
  methods: readonly M[],
): readonly (M & { readonly transport: FlatTransportEntry })[] {
  return methods
    .filter((method) => isFlat(method))
    .toSorted((a, b) => (a.transport.order ?? Infinity) - (b.transport.order ?? Infinity) || 0);
}

export function isFlat<M extends Selectable>(
  method: M,
): method is M & { readonly transport: FlatTransportEntry } {
  return method.transport.kind === "flat";
}

/**
 * The operation that a flat body is which is sent to `path`, a method's own one or undefined for the interface's. `read`
 * gives the body's value of a field, undefined where it has none.
 */
export function selectedFlat<M extends Selectable>(
  methods: readonly M[],
  path: string | undefined,
  read: (field: string) => unknown,
): (M & { readonly transport: FlatTransportEntry }) | undefined {
  const flat = flatMethods(methods).filter((method) => method.path === path);
  return flat.find(({ transport: { selectedBy, only = {} } }) => {
    if (selectedBy.length === 0) return true;
    const held = new Map(Object.entries(only));
    return selectedBy.some((field) => {
      const value = read(field);
      const values = held.get(field);
      return value !== undefined && (values === undefined || holds(values, value));
    });
  });
}

function holds(held: HeldValue, value: unknown): boolean {
  if ("oneOf" in held) return held.oneOf.some((one) => one === value);
  if (Array.isArray(value)) return held.type === "array";
  return value !== null && typeof value === held.type;
}

interface Transport {
  readonly kind: string;
  /** The members of `params.api` that an operation in an envelope asks for. */
  readonly auth?: readonly string[];
}

/** Whether an operation asks its callers to prove a key. One for callers who have none yet lists no part of such a proof. */
export function provesKey({ kind, auth = [] }: Transport): boolean {
  return kind === "flat" || (kind === "enveloped" && (auth.includes("keyId") || auth.includes("signature")));
}

/** The payload of a request, before what it names is filled in. */
export function plannedPayload(
  { base = "minimal", payload, edits }: Pick<RequestPlan, "base" | "payload" | "edits">,
  { bases }: Pick<MethodEntry, "bases">,
): unknown {
  return edited(payload === undefined ? bases[base] : payload, edits);
}
