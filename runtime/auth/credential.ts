import { hash, timingSafeEqual } from "node:crypto";
import { omitUndefined } from "../contract/index.ts";
import type { ApiKeyHash, AuthServices, Principal } from "./auth-services.ts";
import type { Caller } from "../service/handler-context.ts";
import type { UserRecord } from "../store/ports/index.ts";
import { decodeBase64 } from "./signing/index.ts";

export interface Credential {
  readonly userName: string;
  readonly apiKey: string;
}

/** The user of a credential. */
export interface Holder {
  readonly user: UserRecord;
  /** Identifier of the API key of the credential. */
  readonly apiKeyId: string;
}

/** Whose a credential is, in this realm. Unknown user, wrong realm and wrong key get one answer and cost the same (D-18). */
export async function holderOf(
  { userName, apiKey }: Credential,
  { realm, clock, callers }: Pick<AuthServices, "realm" | "clock" | "callers">,
): Promise<Holder | undefined> {
  const principal = await callers.principal(userName);
  const apiKeyId = heldKey(principal, apiKey, clock.now());
  if (principal === undefined || apiKeyId === undefined || principal.user.realm !== realm) return undefined;
  return { user: principal.user, apiKeyId };
}

/** A user as handlers know it, with the key that signed. */
export function callerOf({ userName, institutionId, groups }: UserRecord, keyId?: string): Caller {
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
function heldKey(principal: Principal | undefined, apiKey: string, nowMs: number): string | undefined {
  sent.write(hash("sha256", apiKey, "hex"), "hex");
  let held: string | undefined;
  for (const key of principal?.apiKeys ?? unknownUser) {
    const same = key.hash.length === sent.length && timingSafeEqual(key.hash, sent);
    const live = key.revokedAt === undefined && (key.expiresAt === undefined || key.expiresAt > nowMs);
    held = same && live ? key.id : held;
  }
  return held;
}
