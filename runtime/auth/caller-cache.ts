import { LRUCache } from "lru-cache";
import { omitUndefined } from "../contract/index.ts";
import type { ActiveKey, ApiKeyHash, CallerCache, Principal } from "./auth-services.ts";
import type { ApiKeyRecord, Clock, DeviceKeyRecord, Store, Reads } from "../store/ports/index.ts";
import { readPublicKey } from "./signing/index.ts";
import { userByName, apiKeysOfUser, deviceKeyById } from "../store/tables/index.ts";

export interface CallerCacheOptions {
  readonly store: Store;
  /** Tells which API keys have expired: those are not kept. Absent: all are kept that are not revoked. */
  readonly clock?: Pick<Clock, "now">;
  /** How long a change made by another process may go unseen. Default 5,000. */
  readonly ttlMs?: number;
  /** Default 10,000 users and as many keys; names that do not exist are remembered apart and cannot evict them. */
  readonly entriesMax?: number;
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
export function createCallerCache(options: CallerCacheOptions): CallerCache {
  const { store, clock, ttlMs = 5_000, entriesMax = 10_000 } = options;
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

/** Looks callers up for each call: what another process has changed holds from the next one on. */
export function uncachedCallers({
  store,
  clock,
}: Pick<CallerCacheOptions, "store" | "clock">): Omit<CallerCache, "invalidate"> {
  return {
    principal: (userName) => store.read((view) => loadPrincipal(view, userName, clock)),
    activeKey: (keyId) => store.read((view) => loadKey(view, keyId)),
  };
}

/** Asks both questions whether or not the user exists: an unknown name costs what a known one does (D-18). */
async function loadPrincipal(
  view: Reads,
  userName: string,
  clock: CallerCacheOptions["clock"],
): Promise<Principal | undefined> {
  const user = await view.one(userByName, userName);
  const apiKeys = await apiKeysOfUser(view, userName);
  // Each call compares all of them, and every rotation leaves one behind that has expired.
  const nowMs = clock?.now() ?? -Infinity;
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
