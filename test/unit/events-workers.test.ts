import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../runtime/ports/index.ts";
import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { insertParties } from "../store-contract/samples.ts";
import { openRig, startMs, steppingClock, type Rig, type SteppingClock } from "./events-rig.ts";

let clock: SteppingClock;
let store: Store;
let receiver: Receiver;
let answers = true;
const rigs: Rig[] = [];

beforeEach(async () => {
  answers = true;
  clock = steppingClock();
  store = createMemoryStore();
  await store.transact(insertParties);
  receiver = await startReceiver((_request, response) => {
    if (answers) setTimeout(() => response.writeHead(204).end(), 1);
  });
});
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
  await receiver.close();
});

/** One of several processes over the same store. */
async function worker(over: Store = store): Promise<Rig> {
  const rig = await openRig({ store: over, clock, isOnlyProcess: false });
  rigs.push(rig);
  return rig;
}

/** The store as a process sees it that is killed at some moment: nothing it asks for afterwards happens. */
function killable(): { readonly store: Store; kill(): void } {
  let isKilled = false;
  const never = new Promise<never>(() => undefined);
  return {
    store: {
      ...store,
      read: (work) => (isKilled ? never : store.read(work)),
      transact: (work) => (isKilled ? never : store.transact(work)),
    },
    kill: () => {
      isKilled = true;
    },
  };
}

const idsReceived = () => receiver.received.map(({ headers }) => headers["webhook-id"]);

describe("several processes over one store", () => {
  test("deliver each event once between them, in gapless sequences", async () => {
    const first = await worker();
    const workers = [first, await worker(), await worker()];
    const [a = "", b = ""] = [await first.subscribe(receiver.url), await first.subscribe(receiver.url)];
    for (let index = 0; index < 90; index += 1) {
      await workers[index % 3]?.announce();
      for (const { delivery } of workers) delivery.pollOutbox();
      for (const { delivery } of workers) delivery.claimDue();
    }
    await first.until(async () => (await first.deliveries("DELIVERED")).length === 180);
    for (const { delivery } of workers) await delivery.close(15_000);
    expect(new Set(idsReceived()).size).toBe(180);
    expect(receiver.received).toHaveLength(180);
    for (const subscription of [a, b]) {
      const sequences = receiver.received
        .filter(({ json }) => json.subscriptionId === subscription)
        .map(({ json }) => json.sequence);
      expect(sequences.toSorted((x, y) => x - y)).toEqual(
        Array.from({ length: 90 }, (_, index) => index + 1),
      );
    }
  });

  test("leave what another one has claimed alone until its claim ends, and take it over then", async () => {
    answers = false;
    const { store: killableStore, kill } = killable();
    const doomed = await worker(killableStore);
    await doomed.subscribe(receiver.url);
    await doomed.announce();
    await receiver.until(1);
    kill();
    rigs.splice(rigs.indexOf(doomed), 1);
    answers = true;
    const heir = await worker();
    clock.pass(59_000);
    await heir.claimRound();
    clock.pass(1_001);
    const sentAt = (await receiver.until(2)).map((one) => Number(one.headers["webhook-timestamp"]) * 1_000);
    expect(sentAt).toEqual([startMs, startMs + 60_000]);
    await heir.until(async () => (await heir.only()).state === "DELIVERED");
    expect(new Set(idsReceived()).size).toBe(1);
    expect(await heir.only()).toMatchObject({ sequence: 1, attempts: 1 });
  });

  test("do not write down what they sent after their claim had ended", async () => {
    answers = false;
    const slow = await worker();
    await slow.subscribe(receiver.url);
    await slow.announce();
    await receiver.until(1);
    const { id } = await slow.only();
    await store.transact(async (tx) => {
      await tx.deliveries.change(id, { claimedBy: "somebody else" });
    });
    clock.pass(15_001);
    // Records what is waiting to be recorded.
    await slow.delivery.close(0);
    expect(await slow.only()).toMatchObject({ claimedBy: "somebody else", attempts: 0 });
    expect(await store.read((view) => view.deliveryAttempts.of(id))).toEqual([]);
  });
});

describe("the only process", () => {
  test("sends at its start what a killed one had claimed", async () => {
    answers = false;
    const { store: killableStore, kill } = killable();
    const doomed = await worker(killableStore);
    await doomed.subscribe(receiver.url);
    await doomed.announce();
    await receiver.until(1);
    kill();
    rigs.splice(rigs.indexOf(doomed), 1);
    answers = true;
    rigs.push(await openRig({ store, clock, isOnlyProcess: true }));
    await receiver.until(2);
  });

  test("gives back what it did not get to send, and finishes what is in flight", async () => {
    answers = false;
    const stopping = await openRig({ store, clock, settings: { originConcurrency: 1 } });
    await stopping.subscribe(receiver.url);
    for (let index = 0; index < 5; index += 1) await stopping.announce();
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
    transact: (work) =>
      store.transact(async (tx) => {
        const value = await work(tx);
        if (failing && (await tx.deliveries.oldestOpen("PENDING")) !== undefined)
          throw new Error("disk full");
        return value;
      }),
  };
  const rig = await worker(flaky);
  await rig.subscribe(receiver.url);
  await rig.announce();
  await rig.until(() => rig.failures.length > 0);
  expect(receiver.received).toEqual([]);
  failing = false;
  clock.pass(1_000);
  await receiver.until(1);
  await rig.until(async () => (await rig.only()).state === "DELIVERED");
  expect(await rig.only()).toMatchObject({ sequence: 1 });
});
