import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cancelMissed, releasePart, redeliverAll, resume } from "../../runtime/events/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { bank } from "../store-contract/samples.ts";
import { isFault, openHarness, type Harness } from "./delivery-harness.ts";
import { subscriptionById, healthOfSubscription, endpointHealth } from "../../runtime/store/tables/index.ts";
import { replaceSubscription } from "../../ledger/books/subscriptions.ts";

const accounts = ["1", "2", "3", "4"];
let harness: Harness;
let receiver: Receiver;
/** Accounts of which an event has arrived that is not answered yet, and whether another one overtook it. */
const unanswered = new Set<string>();
let isOvertaken = false;
/** What the receiver answers, by what it is sent. */
let respond: (account: string, sequence: number) => number;

beforeEach(async () => {
  unanswered.clear();
  isOvertaken = false;
  respond = () => 204;
  harness = await openHarness();
  receiver = await startReceiver((_request, response, { json }) => {
    const [account] = json.groupId;
    isOvertaken ||= unanswered.has(account);
    unanswered.add(account);
    // A caller that does not wait for the answer sends the next event in the same turn.
    setImmediate(() => {
      unanswered.delete(account);
      response.writeHead(respond(account, json.sequence)).end();
    });
  });
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
  expect(harness.failures.filter(isFault)).toEqual([]);
  expect(isOvertaken).toBe(false);
});

const ordered = (fields: object = {}) =>
  harness.subscribe(receiver.url, { groupId: accounts, ordered: true, ...fields });
const publish = async (account: string, times = 1): Promise<void> => {
  for (let time = 0; time < times; time += 1) await harness.publish({ topics: [account] });
};
const sequencesOf = (account: string) =>
  receiver.received.filter(({ json }) => json.groupId[0] === account).map(({ json }) => json.sequence);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const stored = async (id: string) => {
  const found = await harness.store.read((view) => view.one(subscriptionById, bank.id, id));
  if (found === undefined) throw new Error("no such subscription");
  return found;
};

describe("an ordered subscription", () => {
  test("gets each account's events one after the other, several accounts at once", async () => {
    await ordered();
    for (let round = 0; round < 12; round += 1) for (const account of accounts) await publish(account);
    await receiver.until(48);
    for (const account of accounts) expect(sequencesOf(account)).toEqual(upTo(12));
  });

  test("waits behind an event that fails; other accounts do not", async () => {
    respond = (account, sequence) => (account === "1" && sequence === 2 ? 500 : 204);
    await ordered();
    await publish("1", 4);
    await publish("2", 3);
    await harness.until(() => receiver.received.length === 5);
    await harness.until(async () => (await harness.deliveries("WAITING")).length === 2);
    expect(sequencesOf("1")).toEqual([1, 2]);
    expect(sequencesOf("2")).toEqual([1, 2, 3]);
    respond = () => 204;
    harness.clock.pass(6_000);
    await receiver.until(8);
    expect(sequencesOf("1")).toEqual([1, 2, 2, 3, 4]);
  });

  test("goes on after a dead letter", async () => {
    respond = (_account, sequence) => (sequence === 1 ? 500 : 204);
    await ordered();
    await publish("1", 2);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await harness.until(() => sequencesOf("1").length >= attempt);
      await harness.until(async () =>
        (await harness.deliveries()).every(({ claimedBy }) => claimedBy === undefined),
      );
      harness.clock.pass(30 * 60 * 60 * 1_000);
      // Nobody gives the endpoint up while this test lives through the days.
      await harness.until(async () =>
        (await harness.deliveries()).every(({ claimedBy }) => claimedBy === undefined),
      );
      await harness.store.write(async (tx) => {
        for (const { subscriptionId } of await harness.deliveries()) {
          const subscription = await tx.one(subscriptionById, bank.id, subscriptionId);
          if (subscription !== undefined) await replaceSubscription(tx, { ...subscription, enabled: true });
          const health = await tx.one(healthOfSubscription, subscriptionId);
          if (health !== undefined)
            await tx.put(endpointHealth, { ...health, reviewAt: Number.MAX_SAFE_INTEGER });
        }
      });
    }
    await harness.until(() => sequencesOf("1").includes(2));
    expect(sequencesOf("1")).toEqual([...Array.from({ length: 10 }, () => 1), 2]);
    expect(await harness.deliveries("DEAD")).toHaveLength(1);
  });

  test("goes on after a restart where it was", async () => {
    respond = (_account, sequence) => (sequence === 2 ? 500 : 204);
    await ordered();
    await publish("1", 5);
    await harness.until(async () => (await harness.deliveries("WAITING")).length === 3);
    await harness.until(async () => (await harness.deliveries("PENDING"))[0]?.attempts === 1);
    respond = () => 204;
    await harness.restart();
    harness.clock.pass(6_000);
    await receiver.until(6);
    expect(sequencesOf("1")).toEqual([1, 2, 2, 3, 4, 5]);
  });

  test("that no longer is lets go of what waited", async () => {
    respond = (_account, sequence) => (sequence === 1 ? 500 : 204);
    const id = await ordered();
    await publish("1", 3);
    await harness.until(async () => (await harness.deliveries("WAITING")).length === 2);
    await harness.until(async () => (await harness.deliveries("PENDING"))[0]?.attempts === 1);
    await harness.store.write(async (tx) => {
      await replaceSubscription(tx, { ...(await stored(id)), ordered: false });
      await releasePart(tx, { institutionId: bank.id, subscriptionId: id }, "WAITING", harness.clock.now());
    });
    harness.delivery.claimDue();
    await receiver.until(3);
    expect(sequencesOf("1").toSorted()).toEqual([1, 2, 3]);
    isOvertaken = false;
  });

  test("sends what it missed in order, and what is sent again takes its place", async () => {
    const id = await ordered({ enabled: false });
    await publish("1", 3);
    await publish("2", 2);
    await harness.until(async () => (await harness.deliveries("HELD")).length === 5);
    await harness.store.write(async (tx) => {
      const enabled = { ...(await stored(id)), enabled: true };
      await replaceSubscription(tx, enabled);
      expect(await resume(tx, enabled, undefined, harness.clock.now())).toBe(5);
    });
    harness.delivery.claimDue();
    await receiver.until(5);
    expect([sequencesOf("1"), sequencesOf("2")]).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 5);
    await harness.store.write(async (tx) => {
      const subscription = await stored(id);
      await redeliverAll(tx, await harness.deliveries(), subscription, harness.clock.now());
    });
    harness.delivery.claimDue();
    await receiver.until(10);
    expect([sequencesOf("1"), sequencesOf("2")]).toEqual([
      [1, 2, 3, 1, 2, 3],
      [1, 2, 1, 2],
    ]);
  });

  test("can be freed of what it missed", async () => {
    const id = await ordered({ enabled: false });
    await publish("1", 3);
    await harness.until(async () => (await harness.deliveries("HELD")).length === 3);
    await harness.store.write(async (tx) => {
      const freed = { ...(await stored(id)), enabled: true, generation: 1 };
      await replaceSubscription(tx, freed);
      expect(await cancelMissed(tx, freed, harness.clock.now())).toBe(3);
    });
    await publish("1");
    await receiver.until(1);
    expect(sequencesOf("1")).toEqual([4]);
  });
});
