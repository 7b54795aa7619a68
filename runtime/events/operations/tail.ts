import type { DeliveryAttemptRecord, DeliveryRecord, Store } from "../../store/ports/index.ts";
import { lastAttemptsOf } from "../model/stored-deliveries.ts";
import { deliveryListing, deliveryById, institutionsByName } from "../../store/tables/index.ts";

/** A new delivery, or an attempt. */
export interface TailLine {
  readonly delivery: DeliveryRecord;
  /** Absent: the delivery is new and was not attempted. */
  readonly attempt?: DeliveryAttemptRecord;
}

export interface Tail {
  /** The lines since the last call, the oldest first; the first call returns none. */
  next(): Promise<readonly TailLine[]>;
}

const listedAtOnce = 500;
/** Open deliveries that are followed, at most. */
const followedMax = 5_000;
/** Longer than the schedule of retries. */
const retriedForMs = 14 * 86_400_000;

/**
 * Follows the deliveries of all institutions by reading the store alone: another process may be delivering. With `sinceMs`
 * the first call returns what happened since then: of the latest 500 deliveries of each institution.
 */
export function createTail(store: Store, sinceMs = Infinity): Tail {
  /** Attempts shown so far, by open delivery. */
  const followed = new Map<string, { readonly delivery: DeliveryRecord; readonly shown: number }>();
  const newest = new Map<string, ReadonlySet<string>>();
  let isFirst = true;

  async function changesOf(delivery: DeliveryRecord, shown: number): Promise<readonly TailLine[]> {
    const attempts = await store.read((view) => lastAttemptsOf(view, delivery.id));
    return attempts.filter(({ number }) => number > shown).map((attempt) => ({ delivery, attempt }));
  }
  function follow(delivery: DeliveryRecord): void {
    const isOver = delivery.dueAt === undefined;
    followed.delete(delivery.id);
    if (!isOver && followed.size < followedMax)
      followed.set(delivery.id, { delivery, shown: delivery.attempts });
  }
  async function newDeliveriesOf(institutionId: string): Promise<readonly DeliveryRecord[]> {
    const listed = await store.read((view) =>
      view.page(deliveryListing({ institutionId, limit: listedAtOnce })),
    );
    const known = newest.get(institutionId) ?? new Set();
    newest.set(institutionId, new Set(listed.map(({ id }) => id)));
    return listed.filter(({ id }) => !known.has(id) && !followed.has(id)).toReversed();
  }

  /** Whether something of it may be as late: its retries end after some days. */
  function mayHaveChanged({ createdAt }: DeliveryRecord): boolean {
    return createdAt + retriedForMs >= sinceMs;
  }
  function isRecent({ delivery, attempt }: TailLine): boolean {
    return (attempt?.startedAt ?? delivery.createdAt) >= sinceMs;
  }

  return {
    async next() {
      const lines: TailLine[] = [];
      for (const { delivery: former, shown } of followed.values().toArray()) {
        const { institutionId, id } = former;
        const delivery = await store.read((view) => view.one(deliveryById, institutionId, id));
        if (delivery === undefined) followed.delete(id);
        else if (delivery.attempts !== shown || delivery.state !== former.state) {
          lines.push(...(await changesOf(delivery, shown)));
          follow(delivery);
        }
      }
      for (const { id } of await store.read((view) => view.many(institutionsByName))) {
        for (const delivery of await newDeliveriesOf(id)) {
          if (!isFirst || mayHaveChanged(delivery)) {
            const attempts = await changesOf(delivery, 0);
            const shown = attempts.length === 0 ? [{ delivery }] : attempts;
            lines.push(...(isFirst ? shown.filter(isRecent) : shown));
          }
          follow(delivery);
        }
      }
      isFirst = false;
      return lines;
    },
  };
}
