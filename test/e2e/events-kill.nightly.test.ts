import { expect, test } from "vitest";
import { runs, seed } from "../seed.ts";
import { killAgainAndAgain } from "./events-killed.ts";

/** `npm run events:kill` for the long run. */
const rounds = runs(4);

test("whenever the process is killed, every committed event arrives, no other one does, and no sequence has a gap", async () => {
  const found = await killAgainAndAgain({ rounds, seed });
  expect(found.faults, `seed ${seed}`).toEqual([]);
  expect(found.acknowledged, `seed ${seed}`).toBeGreaterThan(0);
});
