import { existsSync, readFileSync } from "node:fs";
import type { Outcome } from "../session/outcome.ts";
import { memberOf, parsedJson } from "../values/index.ts";

/** Cases that are known to fail. They still run; one that passes is to be taken off the list. */
export interface Baseline {
  readonly failing: readonly string[];
}

/** A run compared with a baseline. */
export interface BaselineVerdict {
  /** Failures that the baseline does not have. */
  readonly unexpected: readonly Outcome[];
  readonly known: readonly Outcome[];
  /** Cases of the list that passed, or that there are not any more. */
  readonly stale: readonly string[];
}

/** Reads a baseline file: `{ "failing": [ids] }`. @throws Error that says what to do */
export function openBaseline(path: string): Baseline {
  if (!existsSync(path)) throw new Error(`there is no ${path}: --update-baseline writes it`);
  return readBaseline(readFileSync(path, "utf8"), path);
}

/** @throws Error */
export function readBaseline(text: string, path: string): Baseline {
  const failing = memberOf(parsedJson(text), "failing");
  if (!Array.isArray(failing) || !failing.every((id) => typeof id === "string"))
    throw new Error(`${path}: it has to be { "failing": [ids of cases] }: --update-baseline writes it anew`);
  return { failing };
}

/** Compares outcomes with a baseline. Cases that were not run are left out. */
export function againstBaseline(
  outcomes: readonly Outcome[],
  { failing }: Baseline,
  wereAllRun: boolean,
): BaselineVerdict {
  const known = new Set(failing);
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const failures = outcomes.filter(({ status }) => status === "failed");
  return {
    unexpected: failures.filter(({ id }) => !known.has(id)),
    known: failures.filter(({ id }) => known.has(id)),
    stale: failing.filter((id) => {
      const outcome = byId.get(id);
      return outcome === undefined ? wereAllRun : outcome.status === "passed";
    }),
  };
}

/** The baseline of a run: every failure becomes a known one. */
export function baselineOf(outcomes: readonly Outcome[]): string {
  const failing = outcomes.filter(({ status }) => status === "failed").map(({ id }) => id);
  return `${JSON.stringify({ failing }, null, 2)}\n`;
}
