/** What the greedy user of bench/neighbours.ts does, one entry each. */
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  DeliveryRecord,
  EventRecord,
  Store,
  SubscriptionRecord,
  Writes,
} from "../../runtime/store/ports/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";
import { accounts as accountsTable } from "../../ledger/tables/index.ts";
import type { Bank, Engine, Neighbour } from "./bank.ts";
import {
  deliveries as deliveriesTable,
  events as eventsTable,
  userByName,
  users,
} from "../../runtime/store/tables/index.ts";

export interface Sizes {
  /** Status changes of the greedy user, and how many are asked for at once. */
  readonly changes: number;
  readonly atOnce: number;
  readonly revokedSubscriptions: number;
  readonly deliveriesEach: number;
  readonly uninterested: number;
  readonly accounts: number;
  /** New accounts of the customer that nobody wants to hear of. */
  readonly added: number;
  readonly ordered: number;
  readonly lockSeconds: number;
  /** Subscriptions of each of two greedy users. */
  readonly ofTwo: number;
  /** Endpoints of the greedy user that answer a byte a second. */
  readonly slow: number;
  /** One-time passwords that are asked for while the mail server hangs. */
  readonly mails: number;
}

export interface Scenario {
  readonly name: string;
  readonly engines: readonly Engine[];
  readonly ordered?: true;
  /** Seconds that a notification of the modest user may take; 10 if absent. */
  readonly notificationMaxS?: number;
  /** Writes what the greedy user has, while no service runs. */
  fill(store: Store, greedy: Neighbour, sizes: Sizes): Promise<void>;
  /** Does it, and returns a line on how it went. */
  run(bank: Bank, sizes: Sizes): Promise<string>;
}

const both = ["sqlite", "postgres"] as const;
const statuses = ["ACTIVE", "CURTAILED", "DORMANT", "SUSPENDED", "BLOCKED", "DISABLED", "CREATED"] as const;

export const scenarios: readonly Scenario[] = [
  ...[1_000, 1_500, 3_000].map(fanOut),
  {
    name: "two-greedy",
    engines: both,
    async fill(store, greedy, { ofTwo }) {
      await store.write(async (tx) => {
        const user = await tx.one(userByName, greedy.userName);
        if (user !== undefined) await tx.insert(users, { ...user, userName: otherGreedy });
      });
      const all = [...copies(greedy, ofTwo, {}), ...copies(greedy, ofTwo, { userName: otherGreedy })];
      await inParts(store, all, 100, insertSubscriptions);
    },
    run: changeOften,
  },
  {
    name: "slow-receivers",
    engines: both,
    async fill(store, greedy, { slow }) {
      const { port } = new URL(greedy.subscription.callbackUrl);
      const all = copies(greedy, slow, {}).map((each, index) => ({
        ...each,
        callbackUrl: `http://127.0.${3 + Math.floor(index / 200)}.${(index % 200) + 1}:${port}/slow`,
      }));
      await inParts(store, all, 100, insertSubscriptions);
    },
    run: changeOften,
  },
  {
    name: "revoke",
    engines: both,
    fill: (store, greedy, sizes) => fillWaiting(store, greedy, sizes, { ordered: true }),
    async run({ operate, greedy }) {
      const { value, seconds } = await timed(() =>
        operate("RevokeCredential", { userName: greedy.userName }),
      );
      return `RevokeCredential answered ${value.status} after ${seconds.toFixed(2)} s`;
    },
  },
  {
    name: "due-at-start",
    engines: both,
    fill: (store, greedy, sizes) => fillWaiting(store, greedy, sizes, { ordered: false }),
    run: async (_bank, { revokedSubscriptions, deliveriesEach }) =>
      `${revokedSubscriptions * deliveriesEach} deliveries were due at the start`,
  },
  {
    name: "hanging-mails",
    engines: both,
    fill: async () => undefined,
    async run({ operate, greedy, mails }, { mails: count, atOnce }) {
      const answers: number[] = [];
      await inTurns(count, atOnce, async () => {
        answers.push((await operate("StartDeviceRegistration", { userName: greedy.userName })).status);
      });
      await sleep(5_000);
      const taken = answers.filter((status) => status === 200).length;
      return `${taken} of ${count} mails were promised; the server, which says nothing, was sent ${mails.received()}`;
    },
  },
  {
    name: "uninterested",
    engines: both,
    async fill(store, greedy, { uninterested, accounts }) {
      const { account } = greedy;
      const more = Array.from({ length: accounts - 1 }, (_, index) => ({
        ...account,
        id: `more-${index}`,
        number: `77${String(index).padStart(8, "0")}`,
      }));
      await inParts(store, more, 500, (tx, part) => tx.insert(accountsTable, ...part));
      const groupId = [account, ...more].map(({ number }) => number);
      const subscriptions = copies(greedy, uninterested, { groupId });
      await inParts(store, subscriptions, 10, (tx, part) => insertSubscriptions(tx, part));
    },
    async run({ greedy }, { added, atOnce }) {
      const { seconds } = await timed(() =>
        inTurns(added, atOnce, async (index) => {
          const account = { accountType: "SAVINGS", currency: "USD" };
          const payload = { customerID: greedy.customerId, name: `Unwanted ${index}`, ...account };
          // What is refused counts as work, too.
          await greedy.call("CustomerService.AddAccount", payload).catch(() => undefined);
        }),
      );
      return `${added} AddAccount calls, ${atOnce} at once, took ${seconds.toFixed(2)} s`;
    },
  },
  {
    name: "lost-commit",
    engines: ["postgres"],
    ordered: true,
    notificationMaxS: 5,
    fill: (store, greedy, { ordered }) =>
      inParts(store, copies(greedy, ordered, { ordered: true }), 100, (tx, part) =>
        insertSubscriptions(tx, part),
      ),
    async run({ greedy, loser }) {
      const lost = loser?.loseNext(/INSERT INTO delivery_attempts/i, "swallowing");
      const { seconds } = await timed(async () => {
        await changeStatus(greedy, 0);
        await lost;
      });
      // The service finds out by itself; what it does meanwhile is measured.
      await sleep(20_000);
      return `the answer to a COMMIT was lost ${seconds.toFixed(2)} s after the status change`;
    },
  },
  {
    name: "write-lock",
    engines: ["sqlite"],
    fill: async () => undefined,
    async run({ file }, { lockSeconds }) {
      const other = new DatabaseSync(file);
      other.exec("PRAGMA busy_timeout = 1000; BEGIN IMMEDIATE");
      await sleep(lockSeconds * 1_000);
      other.exec("ROLLBACK");
      other.close();
      return `another program held the write lock for ${lockSeconds} s`;
    },
  },
];

function fanOut(subscriptions: number): Scenario {
  return {
    name: `fan-out-${subscriptions}`,
    engines: both,
    fill: (store, greedy) =>
      inParts(store, copies(greedy, subscriptions - 1, {}), 100, (tx, part) => insertSubscriptions(tx, part)),
    run: changeOften,
  };
}

const otherGreedy = "greedy-too";

async function changeOften({ greedy }: Bank, { changes, atOnce }: Sizes): Promise<string> {
  const answers: number[] = [];
  const { seconds } = await timed(() =>
    inTurns(changes, atOnce, async (index) => {
      answers.push(await changeStatus(greedy, index).catch(() => 0));
    }),
  );
  const done = answers.filter((status) => status === 200).length;
  return `${done} of ${changes} status changes, ${atOnce} at once, took ${seconds.toFixed(2)} s`;
}

async function changeStatus({ call, account }: Neighbour, index: number): Promise<number> {
  const status = statuses[(index + 1) % statuses.length];
  const payload = { accountNumber: account.number, status };
  return (await call("AccountService.UpdateAccountStatus", payload)).status;
}

function copies(
  { subscription }: Neighbour,
  count: number,
  changes: Partial<SubscriptionRecord>,
): readonly SubscriptionRecord[] {
  return Array.from({ length: count }, () => ({ ...subscription, ...changes, id: randomUUID() }));
}

function eventOf({ account, customerId }: Neighbour): EventRecord {
  const nowMs = Date.now();
  return {
    id: randomUUID(),
    institutionId: account.institutionId,
    name: "Account.UPDATE",
    source: "LEDGER",
    topics: [account.number],
    group: customerId,
    payloadJson: JSON.stringify({ number: account.number, status: "ACTIVE" }),
    createdAt: nowMs,
    publishedAt: nowMs,
  };
}

/** Writes a delivery of each event to each subscription. */
async function fillWaiting(
  store: Store,
  greedy: Neighbour,
  { revokedSubscriptions, deliveriesEach }: Sizes,
  { ordered }: Pick<SubscriptionRecord, "ordered">,
): Promise<void> {
  const subscriptions = copies(greedy, revokedSubscriptions, { ordered });
  await inParts(store, subscriptions, 100, (tx, part) => insertSubscriptions(tx, part));
  const events = Array.from({ length: deliveriesEach }, () => eventOf(greedy));
  await inParts(store, events, 500, (tx, part) => tx.insert(eventsTable, ...part));
  for (const subscription of subscriptions) {
    const deliveries = events.map((event, index) => deliveryOf(event, subscription, greedy, index));
    await inParts(store, deliveries, 500, (tx, part) => tx.insert(deliveriesTable, ...part));
  }
}

/** Where the subscription is ordered, the first one waits an hour for its next attempt, and all others for it. Else all are due. */
function deliveryOf(
  event: EventRecord,
  subscription: SubscriptionRecord,
  { account }: Neighbour,
  index: number,
): DeliveryRecord {
  const { ordered } = subscription;
  const isFirst = index === 0;
  return {
    id: randomUUID(),
    institutionId: event.institutionId,
    subscriptionId: subscription.id,
    eventId: event.id,
    eventName: event.name,
    topics: [account.number],
    sequence: index + 1,
    generation: 0,
    state: isFirst || !ordered ? "PENDING" : "WAITING",
    attempts: isFirst ? 1 : 0,
    failures: isFirst ? 1 : 0,
    dueAt: event.createdAt + (ordered ? 3_600_000 : 0),
    ...(ordered ? { orderingKey: account.number } : {}),
    createdAt: event.createdAt,
  };
}

async function inParts<R>(
  store: Store,
  records: readonly R[],
  size: number,
  insert: (tx: Writes, part: readonly R[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < records.length; at += size) {
    await store.write((tx) => insert(tx, records.slice(at, at + size)));
  }
}

async function insertSubscriptions(tx: Writes, records: readonly SubscriptionRecord[]): Promise<void> {
  for (const record of records) await insertSubscription(tx, record);
}

/** Does so many things, as many at once. */
async function inTurns(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const turn = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, turn));
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - startedAt) / 1_000 };
}
