import { beforeAll, expect, test } from "vitest";
import type { RunReport } from "../../conformance/index.ts";
import { againstBaseline, baselineOf, readBaseline } from "../../conformance/report/baseline.ts";
import { sampleReport } from "./sample-report.ts";

let outcomes: RunReport["outcomes"];
const idsOf = (status: string): readonly string[] =>
  outcomes.filter((each) => each.status === status).map(({ id }) => id);

beforeAll(async () => {
  ({ outcomes } = (await sampleReport()).report);
});

test("a baseline holds the failures of a run, which are known from then on", () => {
  const baseline = readBaseline(baselineOf(outcomes), "known.json");
  expect(baseline.failing).toEqual(idsOf("failed"));
  const { unexpected, known, stale } = againstBaseline(outcomes, baseline, true);
  expect([unexpected, known.map(({ id }) => id), stale]).toEqual([[], idsOf("failed"), []]);
});

test("a failure that is not listed is unexpected", () => {
  const [first, ...others] = idsOf("failed");
  const { unexpected, known } = againstBaseline(outcomes, { failing: others }, true);
  expect(unexpected.map(({ id }) => id)).toEqual([first]);
  expect(known).toHaveLength(others.length);
});

test("a listed case is stale when it passes; one that was not run only where all were", () => {
  const [passed = ""] = idsOf("passed");
  const [skipped = ""] = idsOf("skipped");
  const failing = [passed, skipped, "gone"];
  expect(againstBaseline(outcomes, { failing }, true).stale).toEqual([passed, "gone"]);
  expect(againstBaseline(outcomes, { failing }, false).stale).toEqual([passed]);
});

test.each(["", "[]", '{ "failing": "a" }', '{ "failing": [1] }'])(
  "what is no baseline is refused: %s",
  (text) => {
    expect(() => readBaseline(text, "known.json")).toThrow("known.json: it has to be");
  },
);
