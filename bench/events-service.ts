import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEventDelivery, type EventDelivery } from "../runtime/events/index.ts";
import type { OutboxEventRecord, Store } from "../runtime/ports/index.ts";
import { openSqliteStore } from "../runtime/storage/sqlite/index.ts";
import { idSource, sealer, systemClock } from "../runtime/system/index.ts";
import { account, accountWith, bank, insertParties, user } from "../test/store-contract/samples.ts";

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
  readonly port: number;
  /** Resolves with what was received once it is so many more. What is sent to `/hang` is not counted, nor answered. */
  expect(count: number): Promise<readonly Receipt[]>;
}

export interface Receipt {
  readonly timeMs: number;
  readonly eventId: string;
}

export interface BenchOptions {
  readonly originConcurrency: number;
  /** Of attempts that fail. */
  readonly areFailuresShown: boolean;
}

export async function startService(
  subscriptions: (port: number) => readonly BenchSubscription[],
  { originConcurrency, areFailuresShown }: BenchOptions,
): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), "bench-events-"));
  const store = await openSqliteStore({ file: join(folder, "ledger.sqlite"), migrate: true });
  const { child, receiver } = await startReceiver();
  await fill(store, subscriptions(receiver.port));
  const delivery = await startEventDelivery({
    store,
    clock,
    ids,
    sealer: seal,
    userAgent: "bench",
    isOnlyProcess: true,
    renderMail: ({ to }) => ({ to, subject: "", text: "" }),
    onMail: () => undefined,
    settings: {
      httpCallbacks: true,
      networksAllowed: ["127.0.0.0/8"],
      portsAllowed: [],
      concurrency: 512,
      originConcurrency,
      timeoutMs: 15_000,
      retentionDays: 30,
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

async function startReceiver(): Promise<{ readonly child: ChildProcess; readonly receiver: BenchReceiver }> {
  const child = fork(join(import.meta.dirname, "events-receiver.ts"));
  const [port] = await once(child, "message");
  return {
    child,
    receiver: {
      port: Number(port),
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
  await store.transact(async (tx) => {
    await insertParties(tx);
    const count = new Set(subscriptions.flatMap(({ groupId }) => groupId)).size;
    for (let index = 0; index < count; index += 1) await tx.accounts.insert(accountWith(`a${index}`));
    for (const [index, { callbackUrl, groupId }] of subscriptions.entries()) {
      await tx.subscriptions.insert({
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

/** A transaction of one account, recorded now. */
export function eventOf(accountNumber: string): OutboxEventRecord {
  const id = ids.id();
  return {
    id,
    institutionId: bank.id,
    name: "Transaction.NEW",
    source: "ledger",
    accountNumbers: [accountNumber],
    customerId: account.customerId,
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
