import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEventDelivery, type EventDelivery } from "../runtime/events/index.ts";
import type { OutboxEventRecord, Store } from "../runtime/store/ports/index.ts";
import { openSqliteStore } from "../test/bank-stores.ts";
import { idSource, sealer, systemClock } from "../runtime/operations/system/index.ts";
import type { ReceiverSettings } from "./events-receiver.ts";
import { account, accountWith, bank, insertParties, user } from "../test/store-contract/samples.ts";
import { accounts } from "../ledger/tables/index.ts";
import { insertSubscription } from "../ledger/books/subscriptions.ts";
import { openDeliveries } from "../runtime/store/tables/index.ts";

export const clock = systemClock;
export const ids = idSource(clock);
export const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const seal = sealer(new Uint8Array(32).fill(7));

/** Deliveries from a store of their own, and a receiver that is a process of its own. */
export interface BenchService {
  readonly store: Store;
  readonly delivery: EventDelivery;
  readonly receiver: BenchReceiver;
  close(): Promise<void>;
}

export interface BenchReceiver {
  readonly url: URL;
  /** PEM, where it speaks TLS. */
  readonly certificate?: string;
  /** Resolves with what was received once it is so many more. What is sent to `/hang` is not counted, nor answered. */
  expect(count: number): Promise<readonly Receipt[]>;
}

export interface Receipt {
  readonly timeMs: number;
  readonly eventId: string;
}

export interface BenchOptions {
  /** Whether the receiver speaks TLS and verifies what it gets, as receivers should. */
  readonly isProduction: boolean;
  readonly originConcurrency: number;
  /** Of attempts that fail. */
  readonly areFailuresShown: boolean;
}

export async function startService(
  subscriptions: (receiver: URL) => readonly BenchSubscription[],
  { originConcurrency, areFailuresShown, isProduction }: BenchOptions,
): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), "bench-events-"));
  const store = await openSqliteStore({ file: join(folder, "ledger.sqlite"), migrate: true });
  const certificate = isProduction ? newCertificate(folder) : undefined;
  const { child, receiver } = await startReceiver(certificate);
  await fill(store, subscriptions(receiver.url));
  const delivery = await startEventDelivery({
    store,
    clock,
    ids,
    sealer: seal,
    userAgent: "bench",
    isOnlyProcess: true,
    settings: {
      httpCallbacks: true,
      networksAllowed: ["127.0.0.0/8"],
      portsAllowed: [],
      concurrency: 512,
      originConcurrency,
      timeoutMs: 15_000,
      waitingPerUserMax: 100_000,
      retentionDays: 30,
      ...(certificate === undefined ? {} : { trustedCertificates: certificate.certificate }),
    },
    observer: {
      attempted: (_delivery, { failure, detail }) => {
        if (failure !== undefined && areFailuresShown) console.error("an attempt failed:", failure, detail);
      },
      deadLetter: () => undefined,
      disabled: () => undefined,
      failed: (error) => console.error(error),
    },
  });
  return {
    store,
    delivery,
    receiver,
    async close() {
      await delivery.close(1_000);
      child.kill();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** The kind of most servers: P-256. */
function newCertificate(folder: string): Certificate {
  const options =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key.pem -out cert.pem";
  const names = "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1";
  execFileSync("openssl", [...options.split(" "), ...names.split(" ")], { cwd: folder, stdio: "ignore" });
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { key: read("key.pem"), certificate: read("cert.pem") };
}

async function startReceiver(
  certificate: Certificate | undefined,
): Promise<{ readonly child: ChildProcess; readonly receiver: BenchReceiver }> {
  const child = fork(join(import.meta.dirname, "events-receiver.ts"));
  child.send((certificate ? { production: { ...certificate, secret } } : {}) satisfies ReceiverSettings);
  const [port] = await once(child, "message");
  return {
    child,
    receiver: {
      url: new URL(`${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`),
      ...(certificate && { certificate: certificate.certificate }),
      async expect(count) {
        child.send(count);
        const [receipts] = await once(child, "message");
        return receipts;
      },
    },
  };
}

export interface BenchSubscription {
  readonly callbackUrl: string;
  readonly groupId: readonly string[];
}

async function fill(store: Store, subscriptions: readonly BenchSubscription[]): Promise<void> {
  await store.write(async (tx) => {
    await insertParties(tx);
    const count = new Set(subscriptions.flatMap(({ groupId }) => groupId)).size;
    for (let index = 0; index < count; index += 1) await tx.insert(accounts, accountWith(`a${index}`));
    for (const [index, { callbackUrl, groupId }] of subscriptions.entries()) {
      await insertSubscription(tx, {
        id: `bench-${index}`,
        institutionId: bank.id,
        userName: user.userName,
        name: "Bench",
        callbackUrl,
        events: ["Transaction.NEW"],
        groupId,
        secretSealed: seal.seal(secret),
        enabled: true,
        ordered: false,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
    }
  });
}

/** The number of one of the accounts. */
export function numberOf(index: number): string {
  return accountWith(`a${index}`).number;
}

/** The numbers of the first accounts. */
export function numbersOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => numberOf(index));
}

/** Events of the accounts in turns. */
export function eventsOf(numbers: readonly string[], count: number): readonly OutboxEventRecord[] {
  return Array.from({ length: count }, (_, index) => eventOf(numbers[index % numbers.length] ?? ""));
}

/** Resolves once everything is written down. */
export async function untilIdle(store: Store): Promise<void> {
  while ((await store.read((view) => view.count(openDeliveries, bank.id, "PENDING"))) > 0) await sleep(5);
}

/** A transaction of one account, recorded now. */
export function eventOf(accountNumber: string): OutboxEventRecord {
  const id = ids.id();
  return {
    id,
    institutionId: bank.id,
    name: "Transaction.NEW",
    source: "ledger",
    topics: [accountNumber],
    group: account.customerId,
    payloadJson: JSON.stringify({
      type: "TRANSFER",
      mode: "ACH",
      Status: "COMPLETED",
      ReferenceId: `INV-2026-${id}`,
      TransactionId: id,
      TimeStamp: new Date(clock.now()).toISOString(),
      credit: false,
      InstructedAmount: { Amount: 1250.75, Currency: "USD" },
      CustomerId: account.customerId,
    }),
    createdAt: clock.now(),
  };
}

/** At these shares of the sorted values. */
export function quantiles(values: readonly number[], shares: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return shares.map((share) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0);
}
