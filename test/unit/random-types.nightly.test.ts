import { expect, test } from "vitest";
import { runs } from "../seed.ts";
import { verdictsOn } from "../vectors/one-verdict.ts";
import { randomModels } from "../vectors/random-types.ts";

test("ten thousand values of random types get one verdict each", async () => {
  let [judged, fitting] = [0, 0];
  for (const model of randomModels(runs(6), 25)) {
    const verdicts = await verdictsOn(model);
    expect(verdicts.differences.slice(0, 5)).toEqual([]);
    judged += verdicts.judged;
    fitting += verdicts.fitting;
  }
  expect(judged).toBeGreaterThan(10_000);
  expect(fitting).toBeGreaterThan(1000);
});
