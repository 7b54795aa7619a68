import { readPublicKey, decodeSignature, isValidSignature } from "../../auth/signing/index.ts";
import { takeNonce } from "../../pipeline/stored-nonces.ts";
import { timestampText } from "../../contract/times.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type { Sealer } from "../../store/ports/index.ts";
import { deviceKeyById, deviceKeys, hashOf, signingKeysOfUser } from "../../store/tables/index.ts";
import type { Failing } from "./pages.ts";
import { requireRoomForKey } from "./users.ts";

/** How long a challenge is taken. */
const validMs = 5 * 60_000;
/** How much longer it may seem to be valid: the clocks of two processes differ. More says that the clock was set back. */
const skewMs = 60_000;

/** The text that a new key signs begins with this. No other text that a user's key signs does. */
const prefix = "register-key:";

/** The content of a challenge, which the service alone reads: nothing is stored until it is used. */
interface Challenge {
  readonly userName: string;
  /** SHA-256 of the public key's text. */
  readonly keyHash: string;
  readonly expiresAt: number;
}

export interface NewKey {
  readonly PublicKey: string;
}

/**
 * A challenge of the caller for a new key. Any number of them may be open. Throws CONFLICT where there is no room for the
 * key.
 */
export async function challengeNewKey(
  { PublicKey }: NewKey,
  context: ReadContext & Failing<"BAD_INPUT" | "CONFLICT", "/userName" | "/PublicKey">,
) {
  const { caller, clock, sealer } = context;
  if (readPublicKey(PublicKey) === undefined) throw context.error("BAD_INPUT", { field: "/PublicKey" });
  await requireRoomForKey(context, caller.userName);
  const expiresAt = clock.now() + validMs;
  const content: Challenge = { userName: caller.userName, keyHash: hashOf(PublicKey), expiresAt };
  const challenge = `${prefix}${sealer.seal(JSON.stringify({ use: prefix, ...content }))}`;
  return { challenge, expiresAt: timestampText(expiresAt) };
}

interface ProvedKey extends NewKey {
  readonly challenge: string;
  readonly proof: string;
}

/**
 * Registers a key that the caller proves to hold: its private half has signed a challenge of the caller's, which is taken
 * once. Throws BAD_INPUT for any other, and CONFLICT where the user may have no further key.
 */
export async function registerOwnKey(
  { PublicKey, challenge, proof }: ProvedKey,
  context: WriteContext &
    Failing<"BAD_INPUT" | "CONFLICT", "/userName" | "/PublicKey" | "/challenge" | "/proof">,
) {
  const { store, clock, ids, caller, sealer } = context;
  const { userName } = caller;
  const key = readPublicKey(PublicKey);
  if (key === undefined) throw context.error("BAD_INPUT", { field: "/PublicKey" });
  const opened = openChallenge(sealer, challenge);
  const leftMs = (opened?.expiresAt ?? 0) - clock.now();
  const isFor = opened?.userName === userName && opened.keyHash === hashOf(PublicKey);
  if (!isFor || leftMs <= 0 || leftMs > validMs + skewMs)
    throw context.error("BAD_INPUT", { field: "/challenge", reason: "challenge-over" });
  const signature = decodeSignature(proof);
  const isProved =
    signature !== undefined && isValidSignature({ key, bytes: Buffer.from(challenge), signature });
  if (!isProved) throw context.error("BAD_INPUT", { field: "/proof", reason: "not-signed-by-key" });
  const nonce = hashOf(challenge);
  if (!(await takeNonce(store, { owner: `${prefix}${userName}`, nonce, expiresAt: opened.expiresAt })))
    throw context.error("BAD_INPUT", { field: "/challenge", reason: "challenge-over" });
  await requireRoomForKey(context, userName);
  const keyId = ids.id();
  await store.insert(deviceKeys, {
    keyId,
    userName,
    publicKeyPem: PublicKey,
    status: "ACTIVE",
    createdAt: clock.now(),
  });
  context.invalidateCaller(userName);
  return { KeyId: keyId, status: "ACTIVE" as const };
}

/** Revokes a key of the caller's own. Throws CONFLICT for the last one that is active: nothing could be signed any more. */
export async function revokeOwnKey(
  { KeyId }: { readonly KeyId: string },
  context: WriteContext & Failing<"NOT_FOUND_KEY" | "CONFLICT", "/KeyId">,
) {
  const { store, clock, caller } = context;
  const { userName } = caller;
  const key = await store.one(deviceKeyById, KeyId);
  if (key?.userName !== userName) throw context.error("NOT_FOUND_KEY", { field: "/KeyId" });
  if (key.status === "REVOKED") return { KeyId, status: "REVOKED" as const };
  const others = (await signingKeysOfUser(store, userName)).filter(
    ({ keyId, status }) => status === "ACTIVE" && keyId !== KeyId,
  );
  if (key.status === "ACTIVE" && others.length === 0)
    throw context.error("CONFLICT", { field: "/KeyId", reason: "last-key" });
  await store.replace(deviceKeys, { ...key, status: "REVOKED", revokedAt: clock.now() }, key);
  context.invalidateCaller(userName);
  return { KeyId, status: "REVOKED" as const };
}

/** Undefined for a text that this service did not seal as a challenge. */
function openChallenge(sealer: Sealer, challenge: string): Challenge | undefined {
  try {
    const content: unknown = JSON.parse(sealer.open(challenge.slice(prefix.length)));
    return isChallenge(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isChallenge(content: unknown): content is Challenge {
  return (
    typeof content === "object" &&
    content !== null &&
    "use" in content &&
    content.use === prefix &&
    "userName" in content &&
    typeof content.userName === "string" &&
    "keyHash" in content &&
    typeof content.keyHash === "string" &&
    "expiresAt" in content &&
    typeof content.expiresAt === "number"
  );
}
