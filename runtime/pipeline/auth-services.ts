import { availableParallelism } from "node:os";
import { LRUCache } from "lru-cache";
import { omitUndefined } from "../contract/index.ts";
import type { ApiKeyRecord, Clock, DeviceKeyRecord, Store, Reads } from "../store/ports/index.ts";
import {
  apiKeysOfUser,
  deviceKeyById,
  invitationOfUser,
  keyUses,
  keyUsesOfKeys,
  userByName,
} from "../store/tables/index.ts";
import type {
  ActiveKey,
  ApiKeyHash,
  Callers,
  Invited,
  Principal,
  SignatureVerifier,
} from "../auth/auth-services.ts";
import { isValidSignature, readPublicKey } from "../auth/signing/index.ts";
import type { KeyUses } from "./handler-context.ts";
import { createVerifyingPool, type Verification } from "./verifying-pool.ts";

export interface CallersOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** How long a change made by another process may go unseen. Default 5,000. */
  readonly ttlMs?: number;
  /** Default 10,000 users and as many keys; names that do not exist are remembered apart and cannot evict them. */
  readonly entriesMax?: number;
  /** Receives each failure to store when keys were used; the next minute tries again. */
  readonly onFailure?: (error: unknown) => void;
}

/** The callers that a process remembers. */
export interface ProcessCallers extends Callers, KeyUses {
  /** The same, with users and keys looked up for each call: what another process has changed holds from the next one on. */
  readonly uncached: Callers & KeyUses;
  /** Stores the uses that are not stored yet, and no more later. */
  close(): Promise<void>;
}

/** Records of one kind, and reads of them that are under way: however many callers need one, the store is asked once. */
interface Kept<R extends object> {
  readonly cache: LRUCache<string, R>;
  readonly loading: Map<string, Promise<R | undefined>>;
}

/** Scopes, groups and keys of all users that are kept: one user may have thousands. */
const itemsMax = 200_000;

function itemsOf({ user: { scopes, groups = [] }, apiKeys }: Principal): number {
  return 1 + scopes.length + groups.length + apiKeys.length;
}

/** One for the process: every pipeline shares it, and `invalidateCaller` of every handler ends here. */
export function createCallers(options: CallersOptions): ProcessCallers {
  const { store, clock } = options;
  const { invalidate, ...cached } = createCache(options);
  const { close, ...uses } = createKeyUses(options);
  const invitation = (userName: string) => store.read((view) => loadInvitation(view, userName));
  return {
    ...cached,
    ...uses,
    invitation,
    invalidate,
    close,
    uncached: {
      principal: (userName) => store.read((view) => loadPrincipal(view, userName, clock)),
      activeKey: (keyId) => store.read((view) => loadKey(view, keyId)),
      ...uses,
      invitation,
      invalidate,
    },
  };
}

/** Asks both questions whether or not the user exists. */
async function loadInvitation(view: Reads, userName: string): Promise<Invited | undefined> {
  const user = await view.one(userByName, userName);
  const invitation = await view.one(invitationOfUser, userName);
  if (user === undefined || invitation === undefined) return undefined;
  return { user, hash: Buffer.from(invitation.hash, "hex"), expiresAt: invitation.expiresAt };
}

/** Users and keys through a bounded cache. */
function createCache({
  store,
  clock,
  ttlMs = 5_000,
  entriesMax = 10_000,
}: CallersOptions): Pick<Callers, "principal" | "activeKey" | "invalidate"> {
  const bounds = { max: entriesMax, ttl: ttlMs, ttlResolution: Math.min(ttlMs, 500) };
  const principals: Kept<Principal> = {
    cache: new LRUCache({ ...bounds, maxSize: itemsMax, sizeCalculation: itemsOf }),
    loading: new Map(),
  };
  const keys: Kept<ActiveKey> = { cache: new LRUCache(bounds), loading: new Map() };
  const absent = new LRUCache<string, true>({ max: 1_000, ttl: ttlMs });
  /** Grows with every `invalidate`: what was read from the store before must not enter the cache after. */
  let generation = 0;

  async function through<R extends object>(
    { cache, loading }: Kept<R>,
    absentName: string,
    name: string,
    load: (view: Reads) => Promise<R | undefined>,
  ): Promise<R | undefined> {
    const cached = cache.get(name);
    if (cached !== undefined || absent.has(absentName)) return cached;
    const known = loading.get(name);
    if (known !== undefined) return known;
    const startedIn = generation;
    const started = store.read(load);
    loading.set(name, started);
    try {
      const loaded = await started;
      if (startedIn !== generation) return loaded;
      if (loaded === undefined) absent.set(absentName, true);
      else cache.set(name, loaded);
      return loaded;
    } finally {
      if (loading.get(name) === started) loading.delete(name);
    }
  }

  return {
    principal: (userName) =>
      through(principals, `user ${userName}`, userName, (view) => loadPrincipal(view, userName, clock)),
    activeKey(keyId, { institutionId }) {
      // Names a key of this institution: a stranger who asks for it marks it as absent nowhere else.
      const name = JSON.stringify([institutionId, keyId]);
      return through(keys, `key ${name}`, name, (view) => loadKey(view, keyId));
    },
    invalidate(userName) {
      generation += 1;
      principals.cache.delete(userName);
      for (const [name, key] of keys.cache.entries()) if (key.userName === userName) keys.cache.delete(name);
      for (const { loading } of [principals, keys]) loading.clear();
      absent.clear();
    },
  };
}

/** Asks both questions whether or not the user exists: an unknown name costs what a known one does. */
async function loadPrincipal(view: Reads, userName: string, clock: Clock): Promise<Principal | undefined> {
  const user = await view.one(userByName, userName);
  const apiKeys = await apiKeysOfUser(view, userName);
  // Each call compares all of them, and every rotation leaves one behind that has expired.
  const nowMs = clock.now();
  const live = apiKeys.filter(
    ({ revokedAt, expiresAt = Infinity }) => revokedAt === undefined && expiresAt > nowMs,
  );
  return user === undefined ? undefined : { user, apiKeys: live.map(withHashBytes) };
}

function withHashBytes({ id, hash, expiresAt, revokedAt }: ApiKeyRecord): ApiKeyHash {
  return omitUndefined({ id, hash: Buffer.from(hash, "hex"), expiresAt, revokedAt });
}

async function loadKey(view: Reads, keyId: string): Promise<ActiveKey | undefined> {
  const record: DeviceKeyRecord | undefined = await view.one(deviceKeyById, keyId);
  if (record?.status !== "ACTIVE" || record.publicKeyPem === undefined) return undefined;
  const publicKey = readPublicKey(record.publicKeyPem);
  return publicKey === undefined ? undefined : { userName: record.userName, publicKey };
}

/** When a key was last used. */
interface Use {
  usedAt: number;
  storedAt: number;
}

const flushedEveryMs = 60_000;
/** A key in constant use is written this often. */
const storedEveryMs = 600_000;

/**
 * Notes uses in memory and stores them from time to time: a request writes nothing for it. The first use of a key in
 * this process is stored within a minute, later ones every ten minutes. The last one is stored at the end of the
 * process.
 */
function createKeyUses({
  store,
  clock,
  onFailure,
  entriesMax = 10_000,
}: CallersOptions): Pick<Callers, "used"> & KeyUses & Pick<ProcessCallers, "close"> {
  const users = new LRUCache<string, Map<string, Use>>({ max: entriesMax });
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
        forgetStored(uses, now);
        const due = [...uses].filter(([, use]) => isUnstored(use) && now - use.storedAt >= ageMs);
        if (due.length > 0) await storeUses(store, userName, due);
      }
    } catch (error) {
      onFailure?.(error);
    }
    const isWaiting = users.values().some((uses) => uses.values().some(isUnstored));
    if (isWaiting && cancel === undefined && !isClosed) scheduleFlush();
  }
}

/** Forgets what the store knows as well: a user may use ever new keys. */
function forgetStored(uses: Map<string, Use>, nowMs: number): void {
  for (const [keyId, use] of uses)
    if (!isUnstored(use) && nowMs - use.storedAt >= storedEveryMs) uses.delete(keyId);
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

export interface VerifierOptions {
  /** Threads that help where many signatures arrive at once. Default: one fewer than there are processors, at most 3. */
  readonly threads?: number;
}

export interface ProcessVerifier extends SignatureVerifier {
  /** Ends its threads. */
  close(): Promise<void>;
}

/** Verified on the main thread in one go before other work gets its turn: about 2 ms alone, and less beside threads. */
const perTurnMax = 32;
const besideThreads = 4;
/** Fewer than this are not worth a thread, which takes more of the processor in all. */
const flood = 4;

/**
 * One for the process. Signatures that arrive in one turn of the event loop are verified back to back, so code and
 * tables stay in the processor's caches. If many arrive and there are several processors, threads take what they can.
 * The main thread verifies a few of the rest each turn, more when it has less else to do.
 */
export function createVerifier(options: VerifierOptions = {}): ProcessVerifier {
  const { threads = Math.min(availableParallelism() - 1, 3) } = options;
  const pool = threads > 0 ? createVerifyingPool(threads) : undefined;
  let waiting: Verification[] = [];

  function flush(): void {
    const hasHelp = pool !== undefined && waiting.length >= flood;
    if (hasHelp) pool.take(waiting);
    const batch = waiting.splice(0, hasHelp ? besideThreads : perTurnMax);
    if (waiting.length > 0) setImmediate(flush);
    const verdicts = batch.map(isValidSignature);
    batch.forEach(({ resolve }, index) => resolve(verdicts[index] === true));
  }

  return {
    verify: (key, bytes, signature) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ key, bytes, signature, resolve });
      }),
    close: async () => pool?.close(),
  };
}
