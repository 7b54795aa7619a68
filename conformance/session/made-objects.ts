import { resultOf, type ServiceResponse } from "../response/read-response.ts";
import type { MethodEntry } from "../suite/suite.ts";

/** What an operation made, as its result says. */
export interface MadeObject {
  readonly result: unknown;
}

/** The objects that a run made in a service, and takes away at its end. */
export interface MadeObjects {
  /** Keeps the result of an answer, if it has one and its operation makes what can be removed. */
  note(method: MethodEntry | undefined, answer: ServiceResponse): void;
  /** The different results of an operation, the last one first. */
  by(operation: string): readonly MadeObject[];
}

export function createMadeObjects(operations: ReadonlySet<string>): MadeObjects {
  const made = new Map<string, Map<string, MadeObject>>();
  return {
    note(method, answer) {
      if (method === undefined || !operations.has(method.name)) return;
      const result = resultOf(answer, method);
      if (result === undefined) return;
      const known = made.get(method.name) ?? new Map<string, MadeObject>();
      // A repeated request is answered with the same object.
      known.set(JSON.stringify(result), { result });
      made.set(method.name, known);
    },
    by: (operation) => [...(made.get(operation)?.values() ?? [])].toReversed(),
  };
}
