import { createHash } from "node:crypto";
import { type Given, omitUndefined } from "../../../../runtime/contract/index.ts";
import type { IssuedCredential } from "../../../../generated/operator/types.ts";
import { timestampText } from "../../../../runtime/contract/timestamps.ts";
import type { ApiKeyRecord, Writes } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { apiKeysOfUser, apiKeys } from "../../../../runtime/store/tables/index.ts";

const keyBytes = 16;

/** A new API key: the stored record, and the key itself, which is sent to its owner once (D-18). */
export interface NewApiKey {
  readonly record: ApiKeyRecord;
  readonly issued: IssuedCredential;
}

/** Draws an API key of 128 random bits, in hex. Only its SHA-256 is kept. */
export function newApiKey(
  { ids, clock }: Pick<WriteContext, "ids" | "clock">,
  userName: string,
  expiresAt: number | undefined,
): NewApiKey {
  const id = ids.id();
  const apiKey = Buffer.from(ids.bytes(keyBytes)).toString("hex");
  const hash = createHash("sha256").update(apiKey).digest("hex");
  return {
    record: { id, userName, hash, createdAt: clock.now(), ...omitUndefined({ expiresAt }) },
    issued: {
      userName,
      apiKeyId: id,
      apiKey,
      credential: `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`,
      ...omitUndefined({
        expiresAt: expiresAt === undefined ? undefined : timestampText(expiresAt),
      } satisfies Given<IssuedCredential>),
    },
  };
}

/**
 * Gives a user a new API key. The former one stays valid for the overlap, or until it expires by itself; older ones end
 * now. `formerExpiresAt` is absent where the user had no valid key.
 */
export async function replaceApiKey(
  { store, ...parts }: Pick<WriteContext, "ids" | "clock"> & { readonly store: Writes },
  userName: string,
  { overlapMs, expiresAt }: { readonly overlapMs: number; readonly expiresAt: number | undefined },
): Promise<NewApiKey & { readonly formerExpiresAt?: number }> {
  const nowMs = parts.clock.now();
  const valid = (await apiKeysOfUser(store, userName)).filter((apiKey) => isValidApiKey(apiKey, nowMs));
  const [former, ...older] = valid.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const formerExpiresAt = former && Math.min(former.expiresAt ?? Infinity, nowMs + overlapMs);
  if (former !== undefined)
    await store.replace(apiKeys, { ...former, ...omitUndefined({ expiresAt: formerExpiresAt }) }, former);
  for (const apiKey of older) await store.replace(apiKeys, { ...apiKey, revokedAt: nowMs }, apiKey);
  const apiKey = newApiKey(parts, userName, expiresAt);
  await store.insert(apiKeys, apiKey.record);
  return { ...apiKey, ...omitUndefined({ formerExpiresAt }) };
}

/** Whether an API key is neither revoked nor expired. */
export function isValidApiKey(apiKey: ApiKeyRecord, nowMs: number): boolean {
  return apiKey.revokedAt === undefined && (apiKey.expiresAt ?? Infinity) > nowMs;
}
