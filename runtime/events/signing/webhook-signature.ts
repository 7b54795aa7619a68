import { createHmac, createSecretKey, sign, type KeyObject } from "node:crypto";

/** The headers of a notification (D-42, Standard Webhooks 1.0): name, value, name, value… */
export function notificationHeaders(
  userAgent: string,
  id: string,
  timeMs: number,
  signature: string,
): string[] {
  return [
    "content-type",
    "application/json",
    "user-agent",
    userAgent,
    "webhook-id",
    id,
    "webhook-timestamp",
    timestampOf(timeMs),
    "webhook-signature",
    signature,
  ];
}

/** The part of the signed bytes that precedes the body. */
export function webhookPrefix(id: string, timeMs: number): string {
  return `${id}.${timestampOf(timeMs)}.`;
}

/**
 * The `webhook-signature` of a prefix and its body. It has one value per secret (`v1`), two during a rotation, and
 * one by the service's Ed25519 key (`v1a`).
 */
export function webhookSignature(
  bytes: Buffer,
  secrets: readonly KeyObject[],
  webhookKey: KeyObject,
): string {
  let signatures = "";
  for (const secret of secrets) {
    signatures += `v1,${createHmac("sha256", secret).update(bytes).digest("base64")} `;
  }
  return `${signatures}v1a,${sign(null, bytes, webhookKey).toString("base64")}`;
}

export function timestampOf(timeMs: number): string {
  return String(Math.floor(timeMs / 1_000));
}

const secretPrefix = "whsec_";

/** A secret in the form that Standard Webhooks gives it: `whsec_` and base64. */
export function readSecret(secret: string): KeyObject {
  if (!secret.startsWith(secretPrefix)) throw new Error("a webhook secret begins with whsec_");
  return createSecretKey(secret.slice(secretPrefix.length), "base64");
}
