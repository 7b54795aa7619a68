import { expect, test } from "vitest";
import { fc, runs, seed } from "../seed.ts";
import { compared, schemasOf, values } from "./differential.ts";

test("what is called exact takes and refuses the same values when it is exported again", () => {
  let judged = 0;
  for (const [schemas, candidates] of fc.sample(fc.tuple(schemasOf, values), { numRuns: runs(20), seed })) {
    const found = compared(schemas, candidates);
    judged += found.judged;
    expect(found.differences.slice(0, 1)).toEqual([]);
  }
  expect(judged).toBeGreaterThan(runs(20) * 5);
});
