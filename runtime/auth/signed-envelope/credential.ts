import { hash, timingSafeEqual } from "node:crypto";
import { omitUndefined } from "../../contract/index.ts";
import type { ApiKeyHash, AuthServices, Caller, KnownUser } from "../auth-services.ts";
import { decodeBase64 } from "../signing/index.ts";
import type { SchemeBinding } from "../port.ts";

export interface Credential {
  readonly userName: string;
  readonly apiKey: string;
}

/** The user of a credential. */
export interface Holder {
  readonly user: KnownUser;
  /** Identifier of the API key of the credential; absent of a user who was invited and shows the token. */
  readonly apiKeyId?: string;
}

/** The user invited by the token that a credential has in place of an API key. Every fault gets one answer. */
export async function invitedHolder(
  { userName, apiKey: token }: Credential,
  { realm, clock, callers }: Pick<AuthServices, "callers"> & Pick<SchemeBinding, "realm" | "clock">,
): Promise<Holder | undefined> {
  const invited = await callers.invitation(userName);
  const key = invited && { id: userName, hash: invited.hash, expiresAt: invited.expiresAt };
  const isHeld = heldKey(key && [key], token, clock.now()) !== undefined;
  return isHeld && invited?.user.realm === realm ? { user: invited.user } : undefined;
}

/** Whose a credential is, in this realm. Unknown user, wrong realm and wrong key get one answer and cost the same (D-18). */
export async function holderOf(
  { userName, apiKey }: Credential,
  { realm, clock, callers }: Pick<AuthServices, "callers"> & Pick<SchemeBinding, "realm" | "clock">,
): Promise<Holder | undefined> {
  const principal = await callers.principal(userName);
  const apiKeyId = heldKey(principal?.apiKeys, apiKey, clock.now());
  if (principal === undefined || apiKeyId === undefined || principal.user.realm !== realm) return undefined;
  return { user: principal.user, apiKeyId };
}

/** A user as handlers know it, with the key that signed. */
export function callerOf({ userName, institutionId, groups }: KnownUser, keyId?: string): Caller {
  return omitUndefined({ userName, institutionId, keyId, groups });
}

const scheme = "Basic ";
const encodedCharactersMax = 2048;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads `Basic base64(<Username>:<apiKey>)`, split at the first colon (section 5.1, D-18). */
export function parseCredential(text: string): Credential | undefined {
  if (!text.startsWith(scheme) || text.length > encodedCharactersMax) return undefined;
  const bytes = decodeBase64(text.slice(scheme.length));
  const plain = bytes === undefined ? undefined : decodeUtf8(bytes);
  const colon = plain?.indexOf(":") ?? -1;
  if (plain === undefined || colon < 1 || colon === plain.length - 1) return undefined;
  return { userName: plain.slice(0, colon), apiKey: plain.slice(colon + 1) };
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The hash of the key that was sent: a third of the time of a new buffer for each. */
const sent = Buffer.alloc(32);

/** Compared with the key of an unknown user: no key has this hash. */
const unknownUser: readonly ApiKeyHash[] = [{ id: "", hash: Buffer.alloc(32), revokedAt: 0 }];

/**
 * Which of the user's keys it is, if it is one that is neither expired nor revoked. Every key is compared, in constant time,
 * and an unknown user's against one that fits nothing: answer and work tell nothing (D-18).
 */
function heldKey(
  keys: readonly ApiKeyHash[] = unknownUser,
  apiKey: string,
  nowMs: number,
): string | undefined {
  sent.write(hash("sha256", apiKey, "hex"), "hex");
  let held: string | undefined;
  for (const key of keys) {
    const same = key.hash.length === sent.length && timingSafeEqual(key.hash, sent);
    const live = key.revokedAt === undefined && (key.expiresAt === undefined || key.expiresAt > nowMs);
    held = same && live ? key.id : held;
  }
  return held;
}

/** The `Signature` header of section 5.4: `keyId=<key_id>,algorithm=ecdsa-sha256,signature=<base64_signature>`. */
export interface SignatureHeader {
  readonly keyId?: string;
  /** Absent too where the algorithm is another one: then there is no signature that counts. */
  readonly signature?: string;
}

/** Longer headers are not read: a signature takes 96 characters at most, which leaves 880 for the key's id. */
const signatureHeaderCharactersMax = 1024;

const names: ReadonlySet<string> = new Set(["keyId", "algorithm", "signature"]);

/**
 * Reads the header in one pass: it is read before the caller is authenticated. Members may be quoted and in any order.
 * Gives nothing if one is there twice, or is unknown, or the header is longer than `signatureHeaderCharactersMax`.
 */
export function parseSignatureHeader(text: string): SignatureHeader | undefined {
  if (text.length > signatureHeaderCharactersMax) return undefined;
  const found = new Map<string, string>();
  for (const part of text.split(",")) {
    const equalsAt = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equalsAt)).trim();
    const value = unquoted(part.slice(equalsAt + 1).trim());
    if (!names.has(name) || found.has(name) || value === "" || value.includes('"')) return undefined;
    found.set(name, value);
  }
  const keyId = found.get("keyId");
  const signature = found.get("algorithm") === "ecdsa-sha256" ? found.get("signature") : undefined;
  return omitUndefined({ keyId, signature });
}

/** Without its quotes, if it has both. */
function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
