import { expect, test } from "vitest";
import { fc, runs, seed } from "../seed.ts";
import { compared, schemasOf, values } from "./differential.ts";

test("what is called exact of thousands of documents takes and refuses the same values when it is exported again", () => {
  const differences: string[] = [];
  for (const [schemas, candidates] of fc.sample(fc.tuple(schemasOf, values), {
    numRuns: runs(3_000),
    seed: seed + 1,
  }))
    differences.push(...compared(schemas, candidates).differences.slice(0, 1));
  expect(differences.slice(0, 5)).toEqual([]);
});
