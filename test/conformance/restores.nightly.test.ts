import { expect, test } from "vitest";
import { startFaultyServer } from "../faults/faulty-server.ts";
import type { Step } from "../../conformance/suite/step.ts";
import type { Scenario } from "../../conformance/suite/suite.ts";
import { atWork, failingAfterEach, foundByFailing, scenarios, triedScenarios } from "./failing-steps.ts";

/** Nothing here depends on how long a step waits. */
function withoutWaits({ steps, ...scenario }: Scenario): Scenario {
  const hurried = (each: readonly Step[]): readonly Step[] =>
    each.flatMap((step): readonly Step[] => {
      if (step.kind === "wait" || step.kind === "rest") return [];
      return "steps" in step ? [{ ...step, steps: hurried(step.steps) }] : [step];
    });
  return { ...scenario, steps: hurried(steps) };
}

test.each(["caller", "operator"])(
  "each scenario of the %s may fail after each of its steps, twice, and no other fails by it",
  async (who) => {
    const server = await startFaultyServer(undefined);
    const { operator: _operator, operatorUrl: _url, ...caller } = server.access;
    const isOperator = who === "operator";
    const access = isOperator ? server.access : caller;
    const options = isOperator ? { mailFolder: server.mailFolder } : {};
    try {
      const before = atWork(server);
      const whole = scenarios.map(withoutWaits);
      const broken = whole.flatMap(failingAfterEach);
      for (let round = 0; round < 2; round += 1) {
        const { outcomes } = await triedScenarios(broken, access, options);
        const others = outcomes.filter(
          ({ status, findings }) => status === "failed" && findings[0]?.found !== foundByFailing,
        );
        expect(others.map(({ id, findings }) => [id, findings[0]])).toEqual([]);
        expect(outcomes.filter(({ status }) => status === "failed").length).toBeGreaterThan(100);
        if (isOperator) expect(atWork(server)).toEqual(before);
      }
      const { outcomes } = await triedScenarios(whole, access, options);
      expect(
        outcomes.flatMap(({ id, status, findings }) => (status === "failed" ? [[id, findings[0]]] : [])),
      ).toEqual([]);
    } finally {
      await server.stop();
    }
  },
);
