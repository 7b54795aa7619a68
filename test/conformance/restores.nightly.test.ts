import { expect, test } from "vitest";
import { startFaultyServer } from "../faults/faulty-server.ts";
import type { Scenario, Step } from "../../conformance/suite/suite.ts";
import { failingAfterEach, foundByFailing, scenarios, triedScenarios } from "./failing-steps.ts";

/** Nothing here depends on how long a step waits. */
function withoutWaits({ steps, ...scenario }: Scenario): Scenario {
  const hurried = (each: readonly Step[]): readonly Step[] =>
    each.flatMap((step): readonly Step[] => {
      if (step.kind === "wait" || step.kind === "rest") return [];
      return "steps" in step ? [{ ...step, steps: hurried(step.steps) }] : [step];
    });
  return { ...scenario, steps: hurried(steps) };
}

test("each scenario may fail after each of its steps, twice, and no other fails by it", async () => {
  const server = await startFaultyServer(undefined);
  const { operator: _operator, operatorUrl: _url, ...caller } = server.access;
  try {
    const whole = scenarios.map(withoutWaits);
    const broken = whole.flatMap(failingAfterEach);
    for (let round = 0; round < 2; round += 1) {
      const { outcomes } = await triedScenarios(broken, caller);
      const others = outcomes.filter(
        ({ status, findings }) => status === "failed" && findings[0]?.found !== foundByFailing,
      );
      expect(others.map(({ id, findings }) => [id, findings[0]])).toEqual([]);
      expect(outcomes.filter(({ status }) => status === "failed").length).toBeGreaterThan(100);
    }
    const { outcomes } = await triedScenarios(whole, caller);
    expect(
      outcomes.flatMap(({ id, status, findings }) => (status === "failed" ? [[id, findings[0]]] : [])),
    ).toEqual([]);
  } finally {
    await server.stop();
  }
});
