import { describe, expect, test } from "vitest";
import { engines, isInstalled, soakEngine } from "./soak.ts";

const calls = 3000;

describe("a client's memory", () => {
  // `npm run soak:client` installs the older Nodes; where it never ran, they are left out.
  test.each(engines.filter(isInstalled))(
    "stays where it is on %s, however many calls are made",
    async (engine) => {
      const { before, after } = await soakEngine(engine, calls);
      // A leak of a kilobyte a call is 3 MB; the one that there was took three to five.
      expect(after - before).toBeLessThan(calls * 800);
      expect(after).toBeLessThan(15e6);
    },
    120_000,
  );
});
