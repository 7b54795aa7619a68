import { createHmac, generateKeyPairSync, hash, randomUUID, sign, type KeyObject } from "node:crypto";

/** Signs a mock's notifications, as the service would (D-42). The keys are new in each run. */
export interface NotificationSigner {
  /** The secret that subscribers of a service get from its operator: `whsec_` and base64. The same for the same seed. */
  readonly secret: string;
  /** The public keys as a JWK set (RFC 7517). */
  readonly keySet: { readonly keys: readonly object[] };
  /** Base64 DER ECDSA P-256 over the bytes of a payload. */
  payloadSignature(payloadText: string): string;
  /** The headers of a notification (Standard Webhooks 1.0). */
  headers(id: string, body: string): Readonly<Record<string, string>>;
}

export function createNotificationSigner(seed: number): NotificationSigner {
  const payloadKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const webhookKeys = generateKeyPairSync("ed25519");
  const secretBytes = hash("sha256", `webhook secret ${seed}`, "buffer");
  return {
    secret: `whsec_${secretBytes.toString("base64")}`,
    keySet: { keys: [jwk(payloadKeys.publicKey, "ES256"), jwk(webhookKeys.publicKey, "EdDSA")] },
    payloadSignature: (text) => sign("sha256", Buffer.from(text), payloadKeys.privateKey).toString("base64"),
    headers: (id, body) => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const bytes = Buffer.from(`${id}.${timestamp}.${body}`);
      const mac = createHmac("sha256", secretBytes).update(bytes).digest("base64");
      const signature = sign(null, bytes, webhookKeys.privateKey).toString("base64");
      return {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${mac} v1a,${signature}`,
      };
    },
  };
}

function jwk(key: KeyObject, alg: string): object {
  return { ...key.export({ format: "jwk" }), kid: randomUUID(), alg, use: "sig" };
}
