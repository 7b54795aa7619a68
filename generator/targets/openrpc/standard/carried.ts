import type { Documented } from "../../../model/service-model.ts";

type Members = Readonly<Record<string, unknown>>;

/** The parts of an imported document that the spec language cannot say: its `x-openrpc`. */
export function carriedOf({ extensions = {} }: Documented): Members {
  return membersOf(extensions["x-openrpc"]);
}

/** The spec's other `x-…` keys, as OpenRPC allows them; those that stand for a member of its own are left out. */
export function extensionsOf({ extensions = {} }: Documented): Members {
  return Object.fromEntries(Object.entries(extensions).filter(([key]) => !standsForMember.has(key)));
}

const standsForMember: ReadonlySet<string> = new Set([
  "x-openrpc",
  "x-summary",
  "x-examples",
  "x-data",
  "x-schema-doc",
]);

export function memberOf(value: unknown, name: string): unknown {
  return membersOf(value)[name];
}

export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A list that an imported document has, or nothing. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
