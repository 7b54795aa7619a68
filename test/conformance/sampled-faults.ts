import { expect } from "vitest";
import { inParallel } from "../../conformance/index.ts";
import { faults } from "../faults/faults/index.ts";
import { readScore } from "../faults/score.ts";
import { complaints, runSound, tryFault } from "../faults/try-fault.ts";

/** Tries faults by the cases that caught them last, and gives those that none of these catches any more. */
export async function missedOf(ids: readonly string[]): Promise<readonly string[]> {
  const score = readScore("all-strict-operator");
  const sample = faults.flatMap((fault) => {
    const first = ids.includes(fault.id) ? score[fault.id] : undefined;
    return typeof first === "string" ? [{ fault, first }] : [];
  });
  expect(sample).toHaveLength(ids.length);
  const cases = new Set(sample.map(({ first }) => first));
  const options = { level: "strict", seed: 1 } as const;
  expect(complaints(await runSound(options, (id) => cases.has(id)))).toEqual([]);
  const missed: string[] = [];
  await inParallel(sample, 2, async ({ fault, first }) => {
    const { by } = await tryFault(fault, { ...options, failuresMax: 1, first, onlyFirst: true });
    if (by.length === 0) missed.push(fault.id);
  });
  return missed;
}
