import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { createMemoryStore, openStore } from "../bank-stores.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { bank, insertParties } from "../store-contract/samples.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { describeWorkers } from "./delivery-workers.ts";
import { openHarness, steppingClock, type Harness, type SteppingClock } from "./delivery-harness.ts";
import { openDeliveries } from "../../runtime/store/tables/index.ts";

describeWorkers("several processes over one store", async () => {
  const store = createMemoryStore();
  return { open: async () => store, dispose: () => store.close() };
});

describeWorkers("several workers over one SQLite file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "delivery-workers-"));
  const file = join(folder, "ledger.sqlite");
  await writeMigratedFile(file);
  const store = await openStore(`sqlite:${file}`, optionsUnderTest);
  return {
    open: async () => store,
    dispose: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});

let clock: SteppingClock;
let store: Store;
let receiver: Receiver;
let answers = true;
const harnesses: Harness[] = [];

beforeEach(async () => {
  answers = true;
  clock = steppingClock();
  store = createMemoryStore();
  await store.write(insertParties);
  receiver = await startReceiver((_request, response) => {
    if (answers) response.writeHead(204).end();
  });
});
afterEach(async () => {
  await Promise.all(harnesses.splice(0).map((harness) => harness.close()));
  await receiver.close();
});

/** One of several processes over the same store. */
async function worker(over: Store = store): Promise<Harness> {
  const harness = await openHarness({ store: over, clock, isOnlyProcess: false });
  harnesses.push(harness);
  return harness;
}

/** The store as a process sees it that is killed at some moment: nothing it asks for afterwards happens. */
function killable(): { readonly store: Store; kill(): void } {
  let isKilled = false;
  const never = new Promise<never>(() => undefined);
  return {
    store: {
      ...store,
      read: (work) => (isKilled ? never : store.read(work)),
      write: (work) => (isKilled ? never : store.write(work)),
    },
    kill: () => {
      isKilled = true;
    },
  };
}

describe("the only process", () => {
  test("sends at its start what a killed one had claimed", async () => {
    answers = false;
    const { store: killableStore, kill } = killable();
    const doomed = await worker(killableStore);
    await doomed.subscribe(receiver.url);
    await doomed.publish();
    await receiver.until(1);
    kill();
    harnesses.splice(harnesses.indexOf(doomed), 1);
    answers = true;
    harnesses.push(await openHarness({ store, clock, isOnlyProcess: true }));
    await receiver.until(2);
  });

  test("gives back what it did not get to send, and finishes what is in flight", async () => {
    answers = false;
    const stopping = await openHarness({ store, clock, settings: { originConcurrency: 1 } });
    await stopping.subscribe(receiver.url);
    for (let index = 0; index < 5; index += 1) await stopping.publish();
    await receiver.until(1);
    await stopping.close();
    const left = await stopping.deliveries("PENDING");
    expect(left).toHaveLength(5);
    expect(left.every(({ claimedBy, attempts }) => claimedBy === undefined && attempts === 0)).toBe(true);
  });
});

test("an event that could not be relayed is relayed later, once", async () => {
  let failing = true;
  const flaky: Store = {
    ...store,
    write: (work) =>
      store.write(async (tx) => {
        const value = await work(tx);
        if (failing && (await tx.one(openDeliveries, bank.id, "PENDING", 1)) !== undefined)
          throw new Error("disk full");
        return value;
      }),
  };
  const harness = await worker(flaky);
  await harness.subscribe(receiver.url);
  await harness.publish();
  await harness.until(() => harness.failures.length > 0);
  expect(receiver.received).toEqual([]);
  failing = false;
  clock.pass(1_000);
  await receiver.until(1);
  await harness.until(async () => (await harness.only()).state === "DELIVERED");
  expect(await harness.only()).toMatchObject({ sequence: 1 });
});
