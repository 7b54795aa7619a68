import { sign, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { notificationBody } from "./notification.ts";

/** What a notification is made of, but for its signatures. */
export interface NotificationDraft {
  /** Names the payload and the key that signs it: subscribers of one event share the signature. */
  readonly payloadName: string;
  /** What stands before the body where it is signed: `id.timestamp.` (Standard Webhooks 1.0). */
  readonly prefix: string;
  readonly head: string;
  readonly payloadJson: string;
}

export interface NotificationKeys {
  /** P-256. */
  readonly payloadKey: KeyObject;
  /** Ed25519. */
  readonly webhookKey: KeyObject;
}

export interface SignedNotification {
  /** The prefix and the body. */
  readonly bytes: Buffer;
  /** By the webhook key over the bytes, in base64. */
  readonly signature: string;
}

export type SignNotification = (draft: NotificationDraft, keys: NotificationKeys) => SignedNotification;

const rememberedMax = 2_000;

/** Signs payload and body (D-41, D-42), one after the other. */
export function createNotificationSigner(): SignNotification {
  const payloadSignatures = new LRUCache<string, string>({ max: rememberedMax });

  return ({ payloadName, prefix, head, payloadJson }, { payloadKey, webhookKey }) => {
    const known = payloadSignatures.get(payloadName);
    const payloadSignature = known ?? base64Of(sign("sha256", Buffer.from(payloadJson), payloadKey));
    if (known === undefined) payloadSignatures.set(payloadName, payloadSignature);
    const bytes = Buffer.from(prefix + notificationBody(head, payloadJson, payloadSignature));
    return { bytes, signature: base64Of(sign(null, bytes, webhookKey)) };
  };
}

function base64Of(bytes: Buffer): string {
  return bytes.toString("base64");
}
