import type { NonceRecord, Reads, Store, Writes } from "../store/ports/index.ts";
import { expiredNonces, nonceByName, nonces, noncesOf } from "../store/tables/index.ts";
import type { NonceShelf } from "../auth/replays.ts";

/** Nonces are removed that long after they expired: clocks of several processes may differ by as much. */
const keptAfterExpiryMs = 60_000;
const removedEveryMs = 10_000;
/** How many one request removes at most beside what it is for: some milliseconds. */
const removedPerRequestMax = 200;
/** Longest time from now to the expiry of a signature that is accepted: its validity and a caller's clock ahead. */
const liveMsMax = 331_000;

/**
 * Keeps nonces in the store, on the disk before a request takes effect (RFC 9421, section 7.2.2). Neither a restart
 * nor another process on the same database forgets them.
 */
export function storedNonces(store: Store): NonceShelf {
  let removesAtMs: number | undefined;

  /** Whether this request also removes what has expired. */
  function isTimeToRemove(nowMs: number): boolean {
    removesAtMs ??= nowMs + removedEveryMs;
    if (nowMs < removesAtMs && nowMs >= removesAtMs - removedEveryMs) return false;
    removesAtMs = nowMs + removedEveryMs;
    return true;
  }

  return {
    liveBefore: async (owner, nowMs) => ({
      count: await store.read((view) => view.count(noncesOf, owner, nowMs)),
      untilMs: nowMs + liveMsMax,
    }),
    keep({ owner, nonce, expiresAtMs: expiresAt }, nowMs) {
      const removes = isTimeToRemove(nowMs);
      return store.write(
        async (tx) => {
          if (removes) {
            const removed = await removeExpiredNonces(tx, nowMs - keptAfterExpiryMs, removedPerRequestMax);
            if (removed >= removedPerRequestMax / 2) removesAtMs = nowMs;
          }
          return takeNonce(tx, { owner, nonce, expiresAt });
        },
        { caller: owner },
      );
    },
  };
}

/** Marks are nonces without an owner, kept beside the others: each expires with the last one that was removed. */
const noOwner = "";
/** The mark of all nonces that expire up to then. The others are each of ten minutes of expiry, and named after them. */
const ofAll = "";
const spanMs = 10 * 60_000;
/** Marks that expired so long ago become part of the one of all. */
const apartForMs = 12 * 3_600_000;

/**
 * Whether a nonce was free, and keeps it. One that expires no later than one that was removed is never free: marks tell
 * which ones those may have been, by spans of expiry. A clock that was ahead, and is put right, leaves free what it had
 * jumped over.
 */
export async function takeNonce(tx: Writes, record: NonceRecord): Promise<boolean> {
  if (record.owner === noOwner) throw new Error("a nonce has an owner");
  if (await isRemoved(tx, record)) return false;
  if ((await tx.one(nonceByName, record.owner, record.nonce)) !== undefined) return false;
  await tx.insert(nonces, record);
  return true;
}

/** Removes some that have expired by `time`, the first to expire first, and says how many. */
export async function removeExpiredNonces(tx: Writes, time: number, limit: number): Promise<number> {
  const removed = await tx.take(expiredNonces, time, limit);
  await tx.put(nonces, ...marksOf(removed, time));
  return removed.filter(({ owner }) => owner !== noOwner).length;
}

async function isRemoved(view: Reads, { expiresAt }: NonceRecord): Promise<boolean> {
  for (const name of [ofAll, spanOf(expiresAt)]) {
    const mark = await view.one(nonceByName, noOwner, name);
    if (mark !== undefined && expiresAt <= mark.expiresAt) return true;
  }
  return false;
}

/** The marks of nonces that are removed, the first to expire first. Marks that have expired are among them. */
function marksOf(removed: readonly NonceRecord[], time: number): readonly NonceRecord[] {
  const marks = new Map<string, NonceRecord>();
  for (const { owner, nonce, expiresAt } of removed) {
    const isOfAll = owner === noOwner && nonce === ofAll;
    const name = isOfAll || expiresAt < time - apartForMs ? ofAll : spanOf(expiresAt);
    marks.set(name, { owner: noOwner, nonce: name, expiresAt });
  }
  return [...marks.values()];
}

function spanOf(timeMs: number): string {
  return `${Math.floor(timeMs / spanMs)}`;
}
