import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { SignedNotification } from "./signed-notification.ts";

/** A body and the headers that authenticate it (D-42, Standard Webhooks 1.0). */
export interface SignedWebhook {
  readonly headers: Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;
  readonly body: Buffer;
}

/** What stands before the body where it is signed. */
export function webhookPrefix(id: string, timeMs: number): string {
  return `${id}.${timestampOf(timeMs)}.`;
}

/** Adds the signature with each secret (`v1`), one or two during a rotation, to the one with the service's key (`v1a`). */
export function signedWebhook(
  id: string,
  timeMs: number,
  secrets: readonly KeyObject[],
  { bytes, signature }: SignedNotification,
): SignedWebhook {
  let signatures = "";
  for (const secret of secrets) {
    signatures += `v1,${createHmac("sha256", secret).update(bytes).digest("base64")} `;
  }
  return {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": timestampOf(timeMs),
      "webhook-signature": `${signatures}v1a,${signature}`,
    },
    // The prefix is ASCII: as many bytes as characters.
    body: bytes.subarray(webhookPrefix(id, timeMs).length),
  };
}

function timestampOf(timeMs: number): string {
  return String(Math.floor(timeMs / 1_000));
}

const secretPrefix = "whsec_";

/** A secret in the form that Standard Webhooks gives it: `whsec_` and base64. */
export function readSecret(secret: string): KeyObject {
  if (!secret.startsWith(secretPrefix)) throw new Error("a webhook secret begins with whsec_");
  return createSecretKey(secret.slice(secretPrefix.length), "base64");
}
