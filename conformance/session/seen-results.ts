import type { ServiceResponse } from "../response/read-response.ts";
import type { Expectation } from "../suite/case.ts";
import type { MethodEntry } from "../suite/suite.ts";
import type { Outcome } from "./outcome.ts";

/** Of which operations a run saw a result. */
export interface SeenResults {
  record(method: MethodEntry, expect: Expectation, answer: ServiceResponse, result: unknown): void;
  /** An outcome for each operation that answered every call with an error, as it may: its results were not tried. */
  outcomes(): readonly Outcome[];
}

export function createSeenResults(): SeenResults {
  const seen = new Set<string>();
  const refusing = new Map<string, MethodEntry>();
  return {
    record(method, expect, { error }, result) {
      if (result !== undefined) seen.add(method.name);
      else if (expect.kind === "taken" && error !== undefined) refusing.set(method.name, method);
    },
    outcomes: () => [...refusing.values()].filter(({ name }) => !seen.has(name)).map(untried),
  };
}

function untried({ name, section }: MethodEntry): Outcome {
  return {
    id: resultsId(name),
    method: name,
    title: "a result is as the interface says",
    level: "document",
    origin: section === undefined ? [] : [section],
    status: "skipped",
    reason: "every call was answered with an error, so that there was no result to check",
    findings: [],
    exchanges: [],
    startedMs: 0,
    elapsedMs: 0,
  };
}

/** The outcome that says that no result of an operation was checked. */
export function resultsId(method: string): string {
  return `${method}/results`;
}
