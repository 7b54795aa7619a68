import type { IdSource } from "../../../../runtime/store/ports/index.ts";

/** Bytes of the HMAC secret: Standard Webhooks takes 24 to 64. */
const secretBytes = 32;

/** A secret for signing notifications, in the form of Standard Webhooks. */
export function newWebhookSecret(ids: IdSource): string {
  return `whsec_${Buffer.from(ids.bytes(secretBytes)).toString("base64")}`;
}
