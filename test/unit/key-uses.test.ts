import { beforeEach, expect, test } from "vitest";
import { createCallers } from "../../runtime/pipeline/index.ts";
import type { Clock, Store } from "../../runtime/store/ports/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { bank, user } from "../store-contract/samples.ts";
import { institutions, users, keyUsesOfUser } from "../../runtime/store/tables/index.ts";

const { userName } = user;
let store: Store;
let clock: ReturnType<typeof manualClock>;
let transactions: Promise<unknown>[];
let failure: Error | undefined;

beforeEach(async () => {
  const kept = createMemoryStore();
  await kept.write(async (tx) => {
    await tx.insert(institutions, bank);
    await tx.insert(users, user);
  });
  transactions = [];
  failure = undefined;
  store = {
    ...kept,
    write: (work, options) => {
      const result = failure === undefined ? kept.write(work, options) : Promise.reject(failure);
      transactions.push(result);
      return result;
    },
  };
  clock = manualClock();
});

const open = () => createCallers({ store, clock, onFailure: fail });
const fail = (error: unknown): never => {
  throw error;
};
const stored = () => store.read((view) => view.many(keyUsesOfUser, userName));
const shown = (uses: ReturnType<typeof open>) =>
  store.read((view) => uses.of(view, userName, ["api", "key"]));

/** Time that passes when the test says so. */
function manualClock(): Clock & { advance(byMs: number): Promise<void> } {
  let nowMs = 1_000_000;
  let waiting: { readonly atMs: number; readonly callback: () => void }[] = [];
  return {
    now: () => nowMs,
    elapsedMs: () => nowMs,
    schedule(delayMs, callback) {
      const scheduled = { atMs: nowMs + delayMs, callback };
      waiting.push(scheduled);
      return () => {
        waiting = waiting.filter((each) => each !== scheduled);
      };
    },
    /** Resolves when what came due is stored, or could not be. */
    async advance(byMs) {
      nowMs += byMs;
      const due = waiting.filter(({ atMs }) => atMs <= nowMs);
      waiting = waiting.filter(({ atMs }) => atMs > nowMs);
      for (const { callback } of due) callback();
      await Promise.allSettled(transactions);
    },
  };
}

test("a use is shown at once, stored within a minute, and again every ten minutes at most", async () => {
  const uses = open();
  const first = clock.now();
  uses.used(userName, ["api", "key"]);
  expect([...(await shown(uses))]).toEqual([
    ["api", first],
    ["key", first],
  ]);
  expect(transactions).toHaveLength(0);
  await clock.advance(60_000);
  expect(await stored()).toEqual(["api", "key"].map((keyId) => ({ userName, keyId, usedAt: first })));
  for (let minute = 0; minute < 30; minute += 1) {
    uses.used(userName, ["api"]);
    await clock.advance(60_000);
  }
  expect(transactions).toHaveLength(4);
});

test("keys that are stored and no longer used are forgotten: a user may use ever new ones", async () => {
  const uses = open();
  const remembered = () =>
    store.read(async (view) => [
      ...(await uses.of({ ...view, many: async () => [] }, userName, ["old", "key"])).keys(),
    ]);
  uses.used(userName, ["old"]);
  await clock.advance(60_000);
  uses.used(userName, ["key"]);
  await clock.advance(60_000);
  expect(await remembered()).toEqual(["old", "key"]);
  await clock.advance(600_000);
  uses.used(userName, ["key"]);
  await clock.advance(60_000);
  expect(await remembered()).toEqual(["key"]);
});

test("what is not stored yet is stored when the process ends, but never over a later use of another one", async () => {
  const [one, other] = [open(), open()];
  one.used(userName, ["key"]);
  await clock.advance(1_000);
  other.used(userName, ["key"]);
  const later = clock.now();
  await other.close();
  await one.close();
  expect(await stored()).toEqual([{ userName, keyId: "key", usedAt: later }]);
  expect([...(await shown(one))]).toEqual([["key", later]]);
});

test("a failure to store is told, and tried again a minute later", async () => {
  const told = Promise.withResolvers<unknown>();
  const uses = createCallers({ store, clock, onFailure: told.resolve });
  failure = new Error("disk full");
  uses.used(userName, ["key"]);
  await clock.advance(60_000);
  expect(await told.promise).toBe(failure);
  failure = undefined;
  await clock.advance(60_000);
  expect(await stored()).toHaveLength(1);
});
