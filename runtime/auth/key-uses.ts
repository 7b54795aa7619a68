import { LRUCache } from "lru-cache";
import type { Clock, KeyUses, Store } from "../store/ports/index.ts";
import { keyUsesOfKeys, keyUses } from "../store/tables/index.ts";

export interface KeyUsesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Receives each failure to store; the next minute tries again. */
  readonly onFailure: (error: unknown) => void;
  /** How many users are kept in mind. Default 10,000, for which there is room from the start. */
  readonly usersMax?: number;
}

interface Use {
  usedAt: number;
  storedAt: number;
}

const flushedEveryMs = 60_000;
/** A key in constant use is written this often. */
const storedEveryMs = 600_000;

/**
 * Notes uses in memory and stores them from time to time: a request writes nothing for it. The first use of a key in
 * this process is stored within a minute, later ones every ten minutes, the last ones when the process ends.
 */
export function createKeyUses({ store, clock, onFailure, usersMax = 10_000 }: KeyUsesOptions): KeyUses & {
  /** Stores what is not stored yet, and no more later. */
  close(): Promise<void>;
} {
  const users = new LRUCache<string, Map<string, Use>>({ max: usersMax });
  let cancel: (() => void) | undefined;
  let isClosed = false;

  return {
    used(userName, keyIds) {
      const now = clock.now();
      let uses = users.get(userName);
      if (uses === undefined) users.set(userName, (uses = new Map()));
      for (const keyId of keyIds) {
        const use = uses.get(keyId);
        if (use === undefined) uses.set(keyId, { usedAt: now, storedAt: -Infinity });
        else use.usedAt = now;
      }
      if (cancel === undefined && !isClosed) scheduleFlush();
    },
    async of(view, userName, keyIds) {
      const last = new Map<string, number>();
      for (const { keyId, usedAt } of await view.many(keyUsesOfKeys, userName, keyIds))
        last.set(keyId, usedAt);
      for (const [keyId, { usedAt }] of users.peek(userName) ?? [])
        last.set(keyId, Math.max(usedAt, last.get(keyId) ?? usedAt));
      return last;
    },
    async close() {
      isClosed = true;
      cancel?.();
      await flush(-Infinity);
    },
  };

  function scheduleFlush(): void {
    cancel = clock.schedule(flushedEveryMs, () => {
      cancel = undefined;
      void flush(storedEveryMs);
    });
  }

  /** Stores uses of keys whose last stored one is so old. */
  async function flush(ageMs: number): Promise<void> {
    const now = clock.now();
    try {
      for (const [userName, uses] of users.entries()) {
        const due = [...uses].filter(([, use]) => isUnstored(use) && now - use.storedAt >= ageMs);
        if (due.length > 0) await storeUses(store, userName, due);
      }
    } catch (error) {
      onFailure(error);
    }
    const isWaiting = users.values().some((uses) => uses.values().some(isUnstored));
    if (isWaiting && cancel === undefined && !isClosed) scheduleFlush();
  }
}

/** Stores those that are later than what any process has stored. */
async function storeUses(
  store: Store,
  userName: string,
  due: readonly (readonly [string, Use])[],
): Promise<void> {
  const keyIds = due.map(([keyId]) => keyId);
  const seen = due.map(([keyId, { usedAt }]) => ({ userName, keyId, usedAt }));
  await store.write(
    async (tx) => {
      const stored = new Map(
        (await tx.many(keyUsesOfKeys, userName, keyIds)).map((use) => [use.keyId, use.usedAt]),
      );
      const later = seen.filter(({ keyId, usedAt }) => usedAt > (stored.get(keyId) ?? -Infinity));
      if (later.length > 0) await tx.put(keyUses, ...later);
    },
    { isRepeatable: true },
  );
  for (const [index, [, use]] of due.entries()) use.storedAt = seen[index]?.usedAt ?? use.storedAt;
}

function isUnstored({ usedAt, storedAt }: Use): boolean {
  return usedAt > storedAt;
}
