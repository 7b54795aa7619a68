import { startEventDelivery } from "../../runtime/events/index.ts";
import { ownMailsOnly } from "../../runtime/events/mail/index.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { recordRoots } from "../../runtime/store/index.ts";
import { idSource } from "../../runtime/operations/system/index.ts";
import { insertParties } from "../store-contract/samples.ts";
import { until } from "../until.ts";
import { seal, steppingClock } from "./delivery-harness.ts";

/** Starts the background work of a service that nobody calls, over a store that counts transactions. */
export async function startIdle(opened: Store) {
  const clock = steppingClock();
  const ids = idSource(clock);
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  let [reads, transactions] = [0, 0];
  const store: Store = {
    ...opened,
    read: (...asked) => {
      reads += 1;
      return opened.read(...asked);
    },
    write: (...asked) => {
      transactions += 1;
      return opened.write(...asked);
    },
  };
  await opened.write(insertParties);
  const shared = { store, clock, ids, sealer: seal, isOnlyProcess: true };
  const delivery = await startEventDelivery({
    ...shared,
    userAgent: "idle",
    settings: {
      httpCallbacks: true,
      networksAllowed: [],
      portsAllowed: [],
      concurrency: 8,
      originConcurrency: 8,
      timeoutMs: 15_000,
      retentionDays: 30,
      waitingPerUserMax: 1_000,
    },
    mails: {
      mailer: { send: async () => undefined, check: async () => undefined, close: async () => undefined },
      observer: { sent: () => {}, failed: () => {}, unreachable: () => {}, internal: onFailure },
      renderers: ownMailsOnly,
    },
    observer: {
      attempted: () => undefined,
      deadLetter: () => undefined,
      disabled: () => undefined,
      failed: onFailure,
    },
  });
  const roots = recordRoots({ store, clock, intervalMs: 600_000, onRoot: () => undefined, onFailure });

  /** Time passes until so many questions were asked: by what looks every second, every five, and every minute. */
  async function pass(questions: number): Promise<void> {
    const enough = reads + questions;
    await until(() => {
      clock.pass(1_000);
      return reads >= enough;
    });
  }
  return {
    pass,
    transactions: () => transactions,
    failures,
    async close() {
      await delivery.close(0);
      await roots.close();
    },
  };
}
