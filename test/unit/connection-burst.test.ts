import { expect, test } from "vitest";
import { createConnectionBurst } from "../../runtime/transport/http/index.ts";

function burst() {
  const clock = { ms: 0 };
  const { accepted, perTurn, isOn } = createConnectionBurst(() => clock.ms);
  const acceptMany = (count: number): void => {
    for (let n = 0; n < count; n += 1) accepted();
  };
  return { clock, acceptMany, isOn, begun: () => perTurn(16, 1) };
}

test("without new connections a turn has its usual work", () => {
  expect(burst().begun()).toBe(16);
});

test("a few new connections make turns short, and stop nothing", () => {
  const { acceptMany, begun } = burst();
  acceptMany(31);
  expect(begun()).toBe(1);
});

test("many new connections are let in before anything else is begun, for a fifth of a second", () => {
  const { clock, acceptMany, begun } = burst();
  acceptMany(32);
  expect(begun()).toBe(0);
  clock.ms = 199;
  expect(begun()).toBe(0);
  clock.ms = 200;
  expect(begun()).toBe(1);
});

test("connections that are opened on and on stop others for a fifth of the time", async () => {
  const { clock, acceptMany, isOn, begun } = burst();
  let stopped = 0;
  for (clock.ms = 0; clock.ms < 10_000; clock.ms += 10) {
    acceptMany(40);
    if (begun() === 0) stopped += 10;
    while (isOn()) await new Promise(setImmediate);
  }
  expect(stopped).toBeLessThanOrEqual(2_000);
  expect(stopped).toBeGreaterThan(1_500);
});

test("the usual work goes on as soon as no more come", async () => {
  const { acceptMany, isOn, begun } = burst();
  acceptMany(1_000);
  while (isOn()) await new Promise(setImmediate);
  expect(begun()).toBe(16);
});
