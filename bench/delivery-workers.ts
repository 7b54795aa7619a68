import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startEventDelivery } from "../runtime/events/index.ts";
import type { Store } from "../runtime/store/ports/index.ts";
import { openStore } from "../test/bank-stores.ts";
import { standardConnections, standardReads } from "../runtime/store/index.ts";
import { idSource, sealer, systemClock } from "../runtime/operations/system/index.ts";
import { startPostgres } from "../test/postgres/postgres-server.ts";
import { accountWith, bank, insertParties, user } from "../test/store-contract/samples.ts";
import { eventsOf, numberOf, secret } from "./events-service.ts";
import { outboxEvents, oldestEvents, openDeliveries } from "../runtime/store/tables/index.ts";
import { accounts } from "../ledger/tables/index.ts";
import { insertSubscription } from "../ledger/books/subscriptions.ts";

/**
 * `node bench/delivery-workers.ts [deliveries]`: deliveries a second by one and by two processes over one PostgreSQL
 * database. Receivers answer after 50 ms, and a process has at most 16 attempts under way, so the process is the
 * limit.
 */
const answerMs = 50;
const underWayMax = 16;
const subscriptions = 8;
const clock = systemClock;
const ids = idSource(clock);
const seal = sealer(new Uint8Array(32).fill(7));
const options = {
  migrate: true,
  reads: standardReads,
  connections: standardConnections,
  sealer: () => seal,
};

const [, , first = "4000", url] = process.argv;
if (url === undefined) await compare(Number(first));
else await work(url);

async function compare(count: number): Promise<void> {
  const server = await startPostgres();
  let received: number[] = [];
  const receiver = createServer((request, response) => {
    request.resume();
    received.push(performance.now());
    setTimeout(() => response.writeHead(204).end(), answerMs);
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  const perSecond: number[] = [];
  for (const workers of [1, 2]) {
    const name = `workers_${workers}`;
    await server.execute(`CREATE DATABASE ${name}`);
    const store = await openStore(server.url(name), options);
    await fill(store, `http://127.0.0.1:${address.port}`);
    const children = Array.from({ length: workers }, () =>
      fork(import.meta.filename, ["0", server.url(name)]),
    );
    await Promise.all(children.map((child) => once(child, "message")));
    const numbers = Array.from({ length: subscriptions }, (_, index) => numberOf(index));
    for (let at = 0; at < count; at += 500) {
      await store.write(async (tx) => {
        for (const event of eventsOf(numbers, 500)) await tx.insert(outboxEvents, event);
      });
    }
    received = [];
    for (const child of children) child.send("start");
    const isDone = async (): Promise<boolean> =>
      store.read(async (view) => {
        const isEmpty = (await view.many(oldestEvents, 1)).length === 0;
        return isEmpty && (await view.count(openDeliveries, bank.id, "PENDING")) === 0;
      });
    while (!(await isDone())) await sleep(50);
    // Processes start slowly, and endpoints are given more by and by: the middle half counts.
    const [from, to] = [0.25, 0.75].map((share) => Math.floor(received.length * share));
    const [begun = 0, ended = 0] = [received[from ?? 0], received[to ?? 0]];
    perSecond.push((((to ?? 0) - (from ?? 0)) * 1000) / (ended - begun));
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode === null && once(child, "exit")));
    await store.close();
  }
  const [one = 0, two = 0] = perSecond;
  console.log(
    `1 process: ${one.toFixed(0)}/s, 2 processes: ${two.toFixed(0)}/s, ratio ${(two / one).toFixed(2)}`,
  );
  receiver.close();
  receiver.closeAllConnections();
  await server.close();
}

async function fill(store: Store, receiver: string): Promise<void> {
  await store.write(async (tx) => {
    await insertParties(tx);
    for (let index = 0; index < subscriptions; index += 1) {
      await tx.insert(accounts, accountWith(`a${index}`));
      await insertSubscription(tx, {
        id: `bench-${index}`,
        institutionId: bank.id,
        userName: user.userName,
        name: "Bench",
        callbackUrl: `${receiver}/${index}`,
        events: ["Transaction.NEW"],
        groupId: [numberOf(index)],
        secretSealed: seal.seal(secret),
        enabled: true,
        ordered: false,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
    }
  });
}

/** One of the processes that deliver. */
async function work(database: string): Promise<void> {
  const store = await openStore(database, options);
  // Timers of delivery keep no process alive: without this, one that has nothing to do yet would end.
  process.on("disconnect", () => process.exit());
  process.channel?.ref();
  process.send?.("ready");
  await once(process, "message");
  const delivery = await startEventDelivery({
    store,
    clock,
    ids,
    sealer: seal,
    userAgent: "bench",
    isOnlyProcess: false,
    settings: {
      httpCallbacks: true,
      networksAllowed: ["127.0.0.0/8"],
      portsAllowed: [],
      concurrency: underWayMax,
      originConcurrency: underWayMax,
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
  delivery.pollOutbox();
}
