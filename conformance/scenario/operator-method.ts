import type { MethodEntry } from "../suite/suite.ts";

/** An operation of the operator's interface: only its success is checked, not its result. */
export function operatorMethod(name: string, isFlat = false): MethodEntry {
  const nothing = { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] } as const;
  return {
    name,
    decisions: [],
    effect: "set",
    transport: isFlat
      ? { kind: "flat", selectedBy: [] }
      : { kind: "enveloped", auth: ["credential", "keyId", "signature"], jsonrpc: true },
    payload: { kind: "single", shape: nothing },
    result: { kind: "json" },
    errors: [],
    bases: {},
  };
}
