import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UnavailableError, type Store } from "../../runtime/store/ports/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { delivery, event } from "../store-contract/delivery-samples.ts";
import { bank, insertParties } from "../store-contract/samples.ts";
import { openHarness, startMs, steppingClock, type Harness, type SteppingClock } from "./delivery-harness.ts";
import {
  deliveryListing,
  events as eventsTable,
  deliveries,
  deliveryByKey,
} from "../../runtime/store/tables/index.ts";
import { lastAttemptsOf } from "../../runtime/events/model/stored-deliveries.ts";

/** A database that several processes open. */
export interface SharedDatabase {
  /** The store as one more process opens it. */
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

/** What holds for delivery by several processes, whatever they store in. */
export function describeWorkers(name: string, openDatabase: () => Promise<SharedDatabase>): void {
  let database: SharedDatabase;
  let clock: SteppingClock;
  let store: Store;
  let receiver: Receiver;
  let answers = true;
  let status = 204;
  let mostOpen = 0;
  const harnesses: Harness[] = [];

  beforeEach(async () => {
    answers = true;
    status = 204;
    mostOpen = 0;
    let open = 0;
    clock = steppingClock();
    database = await openDatabase();
    store = await database.open();
    await store.write(insertParties);
    receiver = await startReceiver((_request, response) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      if (!answers) return;
      setImmediate(() => {
        open -= 1;
        response.writeHead(status).end();
      });
    });
  });
  afterEach(async () => {
    await Promise.all(harnesses.splice(0).map((harness) => harness.close()));
    await receiver.close();
    await database.dispose();
  });

  /** One of several processes over the same store. */
  async function worker(over?: Store): Promise<Harness> {
    const harness = await openHarness({
      store: over ?? (await database.open()),
      clock,
      isOnlyProcess: false,
    });
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

  /** The store as a process sees it whose connection is lost once, after a commit that claimed, before its answer. */
  function losingAnswer(isClaim: boolean): { readonly store: Store; isLost(): boolean } {
    let isLost = false;
    return {
      isLost: () => isLost,
      store: {
        ...store,
        async write(work, options = {}) {
          const result = await store.write(work, options);
          const isSought = options.isRepeatable === true && (options.isClaim === true) === isClaim;
          if (isLost || !isSought) return result;
          const all = await store.read((view) =>
            view.page(deliveryListing({ institutionId: bank.id, limit: 9 })),
          );
          // Once, also where another transaction ended meanwhile.
          if (isLost || all.every(({ claimedBy }) => claimedBy === undefined)) return result;
          isLost = true;
          throw new UnavailableError("unreachable");
        },
      },
    };
  }

  /** A delivery that waits in the store, as after a failed attempt. */
  async function insertDue(subscriptionId: string): Promise<void> {
    const { claimedBy: _, orderingKey: __, ...due } = delivery;
    await store.write(async (tx) => {
      await tx.insert(eventsTable, event);
      await tx.insert(deliveries, { ...due, subscriptionId, state: "PENDING", dueAt: startMs });
    });
  }

  /**
   * Waits until so many deliveries have arrived. The clock advances for refused writes: beyond the end of a claim, so
   * that nothing left then would ever arrive.
   */
  async function untilDelivered(workers: readonly Harness[], count: number): Promise<void> {
    const [first] = workers;
    let questions = 0;
    await first?.until(async () => {
      for (const { delivery } of workers) {
        delivery.pollOutbox();
        delivery.claimDue();
      }
      clock.pass(5);
      questions += 1;
      if ((await first.deliveries("DELIVERED")).length === count) return true;
      if (questions < 30_000) return false;
      const left = (await first.deliveries()).filter(({ state }) => state !== "DELIVERED");
      throw new Error(
        `${count - left.length} of ${count} arrived. ${JSON.stringify({ left, failures: workers.map(({ failures }) => failures.map(String)) })}`,
      );
    });
  }

  const idsReceived = () => receiver.received.map(({ headers }) => headers["webhook-id"]);

  describe(name, () => {
    test("deliver each event once between them, in gapless sequences", async () => {
      const events = 12;
      const first = await worker();
      const workers = [first, await worker(), await worker()];
      const [a = "", b = ""] = [await first.subscribe(receiver.url), await first.subscribe(receiver.url)];
      for (let index = 0; index < events; index += 1) {
        await workers[index % 3]?.publish();
        for (const { delivery } of workers) delivery.pollOutbox();
        for (const { delivery } of workers) delivery.claimDue();
      }
      await untilDelivered(workers, 2 * events);
      for (const { delivery } of workers) await delivery.close(15_000);
      expect(new Set(idsReceived()).size).toBe(2 * events);
      expect(receiver.received).toHaveLength(2 * events);
      for (const subscription of [a, b]) {
        const sequences = receiver.received
          .filter(({ json }) => json.subscriptionId === subscription)
          .map(({ json }) => json.sequence);
        expect(sequences.toSorted((x, y) => x - y)).toEqual(
          Array.from({ length: events }, (_, index) => index + 1),
        );
      }
    });

    test.each([false, true])(
      "deliver every event where the clock jumps by 400 days, ordered: %s",
      async (ordered) => {
        const first = await worker();
        const second = await worker();
        await first.subscribe(receiver.url, { ordered });
        const jumpMs = 400 * 24 * 3_600_000;
        const jumps = [
          () => clock.pass(jumpMs),
          () => clock.setBack(jumpMs),
          () => clock.setBack(jumpMs),
          () => clock.pass(jumpMs),
        ];
        for (const jump of jumps) {
          status = 503;
          const refused = await first.publish();
          await receiver.until(receiver.received.length + 1);
          jump();
          status = 204;
          const taken = [refused, await second.publish()];
          await first.until(async () => {
            for (const { delivery } of [first, second]) delivery.claimDue();
            clock.pass(100);
            const arrived = receiver.received.map(({ json }) => json.eventId);
            const open = (await first.deliveries()).filter(({ state }) => state !== "DELIVERED");
            return open.length === 0 && taken.every((id) => arrived.includes(id));
          });
        }
        expect(first.disabled).toEqual([]);
      },
    );

    test("send the events of an ordered account one after the other", async () => {
      const first = await worker();
      const workers = [first, await worker(), await worker()];
      await first.subscribe(receiver.url, { ordered: true });
      for (let index = 0; index < 12; index += 1) await workers[index % 3]?.publish();
      await untilDelivered(workers, 12);
      for (const { delivery } of workers) await delivery.close(15_000);
      const sequences = receiver.received.map(({ json }) => json.sequence);
      expect(sequences).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
      expect(mostOpen).toBe(1);
    });

    test("leave what another one has claimed alone until its claim ends, and take it over then", async () => {
      answers = false;
      const { store: killableStore, kill } = killable();
      const doomed = await worker(killableStore);
      await doomed.subscribe(receiver.url);
      await doomed.publish();
      await receiver.until(1);
      kill();
      harnesses.splice(harnesses.indexOf(doomed), 1);
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
      await slow.publish();
      await receiver.until(1);
      const { id } = await slow.only();
      await store.write(async (tx) => {
        await tx.update(deliveryByKey, { claimedBy: "somebody else" }, id);
      });
      clock.pass(15_001);
      // Records what is waiting to be recorded.
      await slow.delivery.close(0);
      expect(await slow.only()).toMatchObject({ claimedBy: "somebody else", attempts: 0 });
      expect(await store.read((view) => lastAttemptsOf(view, id))).toEqual([]);
    });

    test.each(["publish", "claim"] as const)(
      "send what they claimed by a %s that was committed, but whose answer was lost",
      async (lost) => {
        const { store: lossy, isLost } = losingAnswer(lost === "claim");
        const only = await worker(lossy);
        const subscriptionId = await only.subscribe(receiver.url);
        if (lost === "publish") await only.publish();
        else await insertDue(subscriptionId);
        only.delivery.claimDue();
        await only.until(() => isLost() && only.failures.length === 1);
        // Long before the claim ends.
        for (let second = 0; second < 3; second += 1) {
          clock.pass(1_000);
          await only.claimRound();
        }
        await receiver.until(1);
        await only.until(async () => (await only.only()).state === "DELIVERED");
        expect(receiver.received).toHaveLength(1);
        expect(Number(receiver.received[0]?.headers["webhook-timestamp"]) * 1_000).toBeLessThan(
          startMs + 10_000,
        );
      },
    );
  });
}
