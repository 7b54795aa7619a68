import { createHash } from "node:crypto";
import { type Given, omitUndefined } from "../../../contract/index.ts";
import type { IssuedCredential } from "../../../../generated/operator/types.ts";
import { timestampText } from "../../../domain/index.ts";
import type { ApiKeyRecord, WriteContext } from "../../../ports/index.ts";
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

/** Whether an API key is neither revoked nor expired. */
export function isValidApiKey(apiKey: ApiKeyRecord, nowMs: number): boolean {
  return apiKey.revokedAt === undefined && (apiKey.expiresAt ?? Infinity) > nowMs;
}
