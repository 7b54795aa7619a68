import type { FlatTransportEntry, HeldValue } from "./suite.ts";

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
