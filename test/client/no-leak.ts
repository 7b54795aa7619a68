import { expect } from "vitest";
import { soakEngine, type Engine } from "./soak.ts";

const calls = 3000;

/** A leak of a kilobyte a call is 3 MB; the one that there was took three to five. */
export async function expectNoLeak(engine: Engine): Promise<void> {
  const { before, after } = await soakEngine(engine, calls);
  expect(after - before).toBeLessThan(calls * 800);
  expect(after).toBeLessThan(15e6);
}
