import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { signInPool, type SignText } from "./signatures.ts";

/** A body and the headers that authenticate it (D-42, Standard Webhooks 1.0). */
export interface SignedWebhook {
  readonly headers: Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;
  readonly body: Buffer;
}

export interface WebhookKeys {
  /** One, or two during a rotation: the receiver has either. */
  readonly secrets: readonly KeyObject[];
  /** Ed25519. */
  readonly privateKey: KeyObject;
}

/** Signs `id.timestamp.body` with each secret (`v1`) and with the service's key (`v1a`). */
export async function signWebhook(
  id: string,
  timeMs: number,
  body: string,
  keys: WebhookKeys,
  sign: SignText = signInPool,
): Promise<SignedWebhook> {
  const timestamp = String(Math.floor(timeMs / 1_000));
  const prefix = `${id}.${timestamp}.`;
  const text = prefix + body;
  const signed = Buffer.from(text);
  const signatures = keys.secrets.map(
    (secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`,
  );
  signatures.push(`v1a,${await sign(keys.privateKey, text)}`);
  return {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
    // The prefix is ASCII: as many bytes as characters.
    body: signed.subarray(prefix.length),
  };
}

const secretPrefix = "whsec_";

/** A secret in the form that Standard Webhooks gives it: `whsec_` and base64. */
export function readSecret(secret: string): KeyObject {
  if (!secret.startsWith(secretPrefix)) throw new Error("a webhook secret begins with whsec_");
  return createSecretKey(secret.slice(secretPrefix.length), "base64");
}
