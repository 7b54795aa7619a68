import { expect, test } from "vitest";
import { killAgainAndAgain } from "./events-killed.ts";

/** `npm run events:kill` for the long run. */
const rounds = 4;

test("whenever the process is killed, every committed event arrives, no other one does, and no sequence has a gap", async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const found = await killAgainAndAgain({ rounds, seed });
  expect(found.faults, `seed ${seed}`).toEqual([]);
  expect(found.acknowledged, `seed ${seed}`).toBeGreaterThan(0);
}, 60_000);
