import { join } from "node:path";
import { expect, test } from "vitest";
import { allOutcomes, conform, loadSuite } from "../../conformance/index.ts";
import { startFaultyServer } from "../faults/faulty-server.ts";

const { suite } = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
const scenarios = suite.scenarios.filter(({ name }) => name === "amounts-are-exact");

test("a service is not blamed for the amounts that earlier runs have left in it", async () => {
  const { access, stop } = await startFaultyServer(undefined);
  const { baseUrl = "" } = access;
  try {
    // The other side of the scenario's deposits holds those of eight runs.
    for (let seed = 1; seed <= 10; seed += 1) {
      const own = { suite: { ...suite, scenarios }, cases: [], explore: { runs: 0 } };
      const report = await conform({ ...own, access, baseUrl, seed });
      const tried = allOutcomes(report).filter(({ id }) => id === "scenario/amounts-are-exact");
      expect(tried.map(({ status }) => status)).toEqual(["passed"]);
    }
  } finally {
    await stop();
  }
});
