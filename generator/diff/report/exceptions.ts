import type { Change } from "../rules/change.ts";

/** A change that is accepted, and why. */
export type DiffException = {
  /** The spec that it is about, by name; every spec if absent. */
  readonly spec?: string;
  readonly reason: string;
} & ({ readonly fingerprint: string } | { readonly rule: string; readonly path: string });

/** Whether the exception is about the change. It approves a change; it does not make it smaller. */
export function isAbout(exception: DiffException, spec: string, change: Change): boolean {
  if (exception.spec !== undefined && exception.spec !== spec) return false;
  if ("fingerprint" in exception) return exception.fingerprint === change.fingerprint;
  return exception.rule === change.rule && exception.path === change.path;
}
