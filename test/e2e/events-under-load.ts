/**
 * A process that commits events and delivers them until it is killed: `node events-under-load.ts <file> <callback
 * address> [drain]`. Prints the identifier of each event once its commit is durable. With `drain` it commits nothing,
 * and ends when nothing is left to deliver.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../until.ts";
import { startEventDelivery } from "../../runtime/events/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { idSource, sealer, systemClock } from "../../runtime/operations/system/index.ts";
import { account, bank, insertParties, user } from "../store-contract/samples.ts";
import {
  institutionById,
  outboxEvents,
  oldestEvents,
  openDeliveries,
} from "../../runtime/store/tables/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";

const [, , file = "", callbackUrl = "", drain] = process.argv;
const accounts = ["1", "2", "3"];
const writers = 6;
const clock = systemClock;
const ids = idSource(clock);
const seal = sealer(new Uint8Array(32));
const store = await openSqliteStore({ file, migrate: true });
await store.write(async (tx) => {
  if ((await tx.one(institutionById, bank.id)) !== undefined) return;
  await insertParties(tx);
  for (const id of ["plain", "also-plain", "ordered"]) {
    await insertSubscription(tx, {
      id,
      institutionId: bank.id,
      userName: user.userName,
      name: id,
      callbackUrl,
      events: ["Account.UPDATE"],
      groupId: accounts,
      secretSealed: seal.seal(`whsec_${Buffer.alloc(32).toString("base64")}`),
      enabled: true,
      ordered: id === "ordered",
      createdAt: 1,
      updatedAt: 1,
    });
  }
});
const delivery = await startEventDelivery({
  store,
  clock,
  ids,
  sealer: seal,
  userAgent: "under-load",
  isOnlyProcess: true,
  settings: {
    httpCallbacks: true,
    networksAllowed: ["127.0.0.0/8"],
    portsAllowed: [],
    concurrency: 64,
    originConcurrency: 16,
    timeoutMs: 15_000,
    waitingPerUserMax: 100_000,
    retentionDays: 30,
  },
  observer: {
    attempted: () => undefined,
    deadLetter: () => undefined,
    disabled: () => undefined,
    failed: (error) => console.error(error),
  },
});
if (drain === undefined) await Promise.all(Array.from({ length: writers }, load));
else await drained();
await delivery.close(1_000);
await store.close();

async function load(): Promise<never> {
  for (let index = 0; ; index += 1) {
    const id = ids.id();
    await store.write((tx) =>
      tx.insert(outboxEvents, {
        id,
        institutionId: bank.id,
        name: "Account.UPDATE",
        source: "ledger",
        topics: [accounts[index % accounts.length] ?? ""],
        group: account.customerId,
        payloadJson: `{"id":"${id}"}`,
        createdAt: clock.now(),
      }),
    );
    writeSync(1, `${id}\n`);
    delivery.pollOutbox();
    if (index % 5 === 0) await sleep(1);
  }
}

async function drained(): Promise<void> {
  await until(async () => {
    const left = await store.read(async (view) => {
      const [outbox] = await view.many(oldestEvents, 1);
      const coming = await view.count(openDeliveries, bank.id, "PENDING");
      return (outbox === undefined ? 0 : 1) + coming + (await view.count(openDeliveries, bank.id, "WAITING"));
    });
    return left === 0;
  });
}
