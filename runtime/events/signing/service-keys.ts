import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import type { Clock, Sealer, ServiceKeyRecord, Store, Writes } from "../../store/ports/index.ts";
import { retryWindowMs } from "../model/retry-schedule.ts";
import { allServiceKeys, serviceKeyById, serviceKeys } from "../../store/tables/index.ts";

/** How long receivers may keep the key set, and how long a new key is shown before it signs: longer. */
export const keySetMaxAgeSeconds = 300;
const publishedAheadMs = 2 * keySetMaxAgeSeconds * 1_000;

/** The private keys that sign now. */
export interface SigningKeys {
  /** P-256, signs the payload. */
  readonly payloadKey: KeyObject;
  readonly payloadKeyId: string;
  /** Ed25519, signs the webhook. */
  readonly webhookKey: KeyObject;
}

/** The service's own keys: made at the first start, sealed in the store, rotated on demand. */
export interface ServiceKeys {
  signing(): Promise<SigningKeys>;
  /** The last result of `signing`, while it is still valid. */
  signingNow(): SigningKeys | undefined;
  /**
   * The public keys as a JWK set (RFC 7517). A retired key stays until nothing it signed can still arrive. The same
   * object as long as nothing changes.
   */
  keySet(): Promise<KeySet>;
}

export interface KeySet {
  readonly keys: readonly Readonly<Record<string, string>>[];
}

export interface ServiceKeysOptions {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

const algorithms = ["ES256", "EdDSA"] as const;
/** Another process may have rotated the keys. */
const reloadedEveryMs = 30_000;
/** How long a choice of keys is kept: a new key may begin to sign, or be shown, a second late. */
const chosenEveryMs = 1_000;
/** A key that has been shown for less has signed nothing, and is not about to in a process that has not reloaded yet. */
const surelyUnusedMs = publishedAheadMs - 2 * reloadedEveryMs;

export function createServiceKeys({ store, sealer, clock }: ServiceKeysOptions): ServiceKeys {
  let loaded: Promise<readonly ServiceKeyRecord[]> | undefined;
  let loadedAtMs = 0;
  let signing: { readonly keys: SigningKeys; readonly chosenAtMs: number } | undefined;
  const opened = new Map<string, KeyObject>();

  const records = (): Promise<readonly ServiceKeyRecord[]> => {
    const nowMs = clock.now();
    if (loaded === undefined || Math.abs(nowMs - loadedAtMs) >= reloadedEveryMs) {
      loadedAtMs = nowMs;
      loaded = ensureKeys(store, sealer, clock);
      loaded.catch(() => {
        loaded = undefined;
      });
    }
    return loaded;
  };
  const privateKeyOf = ({ keyId, privateKeySealed }: ServiceKeyRecord): KeyObject => {
    const key = opened.get(keyId) ?? createPrivateKey(sealer.open(privateKeySealed));
    opened.set(keyId, key);
    return key;
  };

  const signingNow = (): SigningKeys | undefined =>
    signing !== undefined && Math.abs(clock.now() - signing.chosenAtMs) < chosenEveryMs
      ? signing.keys
      : undefined;

  return {
    signingNow,
    async signing() {
      const nowMs = clock.now();
      const chosen = signingNow();
      if (chosen !== undefined) return chosen;
      const all = await records();
      const keys = signingKeysAmong(all, clock.now(), privateKeyOf);
      signing = { keys, chosenAtMs: nowMs };
      return keys;
    },
    keySet: keySetReader(store, clock, records),
  };
}

/** Reads the key set once a second at most. One with the same keys is the same object: what was made of it still holds. */
function keySetReader(
  store: Store,
  clock: Clock,
  make: () => Promise<readonly ServiceKeyRecord[]>,
): () => Promise<KeySet> {
  let shown: { readonly keySet: Promise<KeySet>; readonly readAtMs: number } | undefined;
  const read = async (former: Promise<KeySet> | undefined): Promise<KeySet> => {
    const all = await store.read((view) => view.many(allServiceKeys));
    const known = all.length > 0 ? all : await make();
    const published = known.filter((key) => isPublished(key, clock.now()));
    const before = await former?.catch(() => undefined);
    const isSame =
      before?.keys.length === published.length &&
      published.every(({ keyId }, index) => before.keys[index]?.["kid"] === keyId);
    return isSame ? before : { keys: published.map(jwkOf) };
  };
  return () => {
    const nowMs = clock.now();
    if (shown === undefined || Math.abs(nowMs - shown.readAtMs) >= chosenEveryMs) {
      const reading = { keySet: read(shown?.keySet), readAtMs: nowMs };
      shown = reading;
      reading.keySet.catch(() => {
        if (shown === reading) shown = undefined;
      });
    }
    return shown.keySet;
  };
}

/**
 * Creates new keys. They are published at once; ten minutes later they sign and the former ones retire. New ones take
 * the place of those that wait to sign.
 */
export async function rotateServiceKeys(
  { store: tx, sealer, clock }: { readonly store: Writes; readonly sealer: Sealer; readonly clock: Clock },
  rotated: readonly ServiceKeyRecord["algorithm"][] = algorithms,
): Promise<readonly { readonly key: ServiceKeyRecord; readonly signsFrom: number }[]> {
  const nowMs = clock.now();
  const signsFrom = nowMs + publishedAheadMs;
  const all = await tx.many(allServiceKeys);
  const kept = all.filter(
    (key) => isPublished(key, nowMs) && !(rotated.includes(key.algorithm) && isSpare(key, all, nowMs)),
  );
  for (const { keyId } of all.filter((key) => !kept.includes(key))) await tx.remove(serviceKeyById, keyId);
  for (const algorithm of rotated) {
    const last = kept.findLast((key) => key.algorithm === algorithm);
    if (last !== undefined) await tx.replace(serviceKeys, { ...last, retiredAt: signsFrom }, last);
  }
  const created = rotated.map((algorithm) => newKey(algorithm, sealer, nowMs));
  for (const key of created) await tx.insert(serviceKeys, key);
  return created.map((key) => ({ key, signsFrom }));
}

/** Whether a key waits to sign, in every process. */
function isSpare(key: ServiceKeyRecord, all: readonly ServiceKeyRecord[], nowMs: number): boolean {
  const signs = signingKey(all, key.algorithm, nowMs);
  return key.keyId !== signs.keyId && nowMs - key.createdAt < surelyUnusedMs;
}

async function ensureKeys(store: Store, sealer: Sealer, clock: Clock): Promise<readonly ServiceKeyRecord[]> {
  const present = await store.read((view) => view.many(allServiceKeys));
  if (hasAll(present)) return present;
  return store.write(async (tx) => {
    const again = await tx.many(allServiceKeys);
    if (hasAll(again)) return again;
    for (const algorithm of algorithms) {
      if (again.every((key) => key.algorithm !== algorithm)) {
        await tx.insert(serviceKeys, newKey(algorithm, sealer, clock.now()));
      }
    }
    return tx.many(allServiceKeys);
  });
}

function hasAll(keys: readonly ServiceKeyRecord[]): boolean {
  return algorithms.every((algorithm) => keys.some((key) => key.algorithm === algorithm));
}

/** The keys that sign now, out of all of the store. */
export function signingKeysAmong(
  all: readonly ServiceKeyRecord[],
  nowMs: number,
  privateKeyOf: (record: ServiceKeyRecord) => KeyObject,
): SigningKeys {
  const payload = signingKey(all, "ES256", nowMs);
  const webhook = signingKey(all, "EdDSA", nowMs);
  return {
    payloadKey: privateKeyOf(payload),
    payloadKeyId: payload.keyId,
    webhookKey: privateKeyOf(webhook),
  };
}

/** The newest key that was published for ten minutes, or else the oldest key. */
function signingKey(
  keys: readonly ServiceKeyRecord[],
  algorithm: ServiceKeyRecord["algorithm"],
  nowMs: number,
): ServiceKeyRecord {
  const candidates = keys.filter((key) => key.algorithm === algorithm);
  const shown = candidates.findLast(({ createdAt }) => createdAt <= nowMs - publishedAheadMs);
  const key = shown ?? candidates[0];
  if (key === undefined) throw new Error(`there is no ${algorithm} service key`);
  return key;
}

function isPublished({ retiredAt }: ServiceKeyRecord, nowMs: number): boolean {
  return retiredAt === undefined || nowMs < retiredAt + retryWindowMs;
}

function newKey(
  algorithm: ServiceKeyRecord["algorithm"],
  sealer: Sealer,
  createdAt: number,
): ServiceKeyRecord {
  const { publicKey, privateKey } =
    algorithm === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("ed25519");
  return {
    keyId: thumbprint(publicKey),
    algorithm,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKeySealed: sealer.seal(privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    createdAt,
  };
}

function jwkOf({ keyId, algorithm, publicKeyPem }: ServiceKeyRecord): Readonly<Record<string, string>> {
  const jwk = createPublicKey(publicKeyPem).export({ format: "jwk" });
  return { ...publicMembers(jwk), kid: keyId, alg: algorithm, use: "sig" };
}

/** RFC 7638: SHA-256 over the required members in the order of their names. */
function thumbprint(key: KeyObject): string {
  const members = publicMembers(key.export({ format: "jwk" }));
  return createHash("sha256").update(JSON.stringify(members)).digest("base64url");
}

function publicMembers(jwk: object): Readonly<Record<string, string>> {
  const members = Object.entries(jwk).filter(([name]) => ["crv", "kty", "x", "y"].includes(name));
  return Object.fromEntries(members.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
