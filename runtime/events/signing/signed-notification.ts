import { sign, type KeyObject, createHmac, createSecretKey } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { DeliveryRecord, EventRecord } from "../../store/ports/index.ts";
import type { TranslatableEvent } from "../../pipeline/event-translator.ts";

/** The parts of a notification. */
export interface NotificationDraft {
  readonly event: Pick<EventRecord, "id" | "name" | "source" | "createdAt" | "revision" | "payloadJson"> &
    Pick<TranslatableEvent, "membersJson" | "payloadName">;
  readonly delivery: Pick<DeliveryRecord, "id" | "subscriptionId" | "topics" | "sequence">;
  /** The time that the notification states. */
  readonly timeMs: number;
  /** P-256. */
  readonly payloadKey: KeyObject;
  /** Ed25519. */
  readonly webhookKey: KeyObject;
  /** The subscription's: one, or two during a rotation. */
  readonly secrets: readonly KeyObject[];
}

export interface SignedNotification {
  readonly body: Buffer;
  /** The header `webhook-signature`. */
  readonly signature: string;
}

export type SignNotification = (draft: NotificationDraft) => SignedNotification;

/** Payloads and their signatures that are remembered, and characters of them. */
const rememberedMax = 2_000;
const rememberedCharactersMax = 8_000_000;

/** Builds notifications, signs payload and body. Subscribers of one event share the payload's signature. */
export function createNotificationSigner(): SignNotification {
  const payloadSignatures = new LRUCache<
    string,
    { readonly payloadJson: string; readonly signature: string }
  >({
    max: rememberedMax,
    maxSize: rememberedCharactersMax,
    sizeCalculation: ({ payloadJson, signature }) => payloadJson.length + signature.length,
  });
  let rememberedKey: KeyObject | undefined;

  const payloadSignatureOf = ({ event, payloadKey }: NotificationDraft): string => {
    if (rememberedKey !== payloadKey) payloadSignatures.clear();
    rememberedKey = payloadKey;
    // Each revision has a payload of its own, and so may each side of a transaction.
    const { id, revision = "", payloadJson } = event;
    const name = `${revision} ${id}`;
    const known = payloadSignatures.get(name);
    if (known?.payloadJson === payloadJson) return known.signature;
    const signature = payloadSignature(payloadJson, payloadKey);
    payloadSignatures.set(name, { payloadJson, signature });
    return signature;
  };

  return (draft) => signedWith(draft, payloadSignatureOf(draft));
}

/** Builds and signs one notification by itself. */
export function signNotification(draft: NotificationDraft): SignedNotification {
  return signedWith(draft, payloadSignature(draft.event.payloadJson, draft.payloadKey));
}

function payloadSignature(payloadJson: string, payloadKey: KeyObject): string {
  return sign("sha256", Buffer.from(payloadJson), payloadKey).toString("base64");
}

function signedWith(
  { event, delivery, timeMs, webhookKey, secrets }: NotificationDraft,
  signature: string,
): SignedNotification {
  const head = notificationHead(event, delivery);
  const prefix = webhookPrefix(delivery.id, timeMs);
  const bytes = Buffer.from(prefix + notificationBody(head, event.payloadJson, signature));
  return {
    // The prefix is ASCII: as many bytes as characters.
    body: bytes.subarray(prefix.length),
    signature: webhookSignature(bytes, secrets, webhookKey),
  };
}

/** The body of a notification up to its payload. */
export function notificationHead(
  event: Pick<EventRecord, "id" | "name" | "source" | "createdAt"> &
    Pick<TranslatableEvent, "membersJson" | "payloadName">,
  delivery: Pick<DeliveryRecord, "subscriptionId" | "topics" | "sequence">,
): string {
  const head = JSON.stringify({
    source: event.source,
    eventId: event.id,
    eventName: event.name,
    groupId: delivery.topics,
    subscriptionId: delivery.subscriptionId,
    timestamp: new Date(event.createdAt).toISOString(),
    sequence: delivery.sequence,
  });
  const { membersJson, payloadName = "payload" } = event;
  const members = membersJson === undefined ? "" : `${membersJson},`;
  return `${head.slice(0, -1)},${members}${JSON.stringify(payloadName)}:`;
}

/**
 * The body of a notification. `payload` stands in it byte for byte as it was recorded: `signature`, base64 DER
 * ECDSA P-256, is over just these bytes.
 */
export function notificationBody(head: string, payloadJson: string, signature: string): string {
  return `${head}${payloadJson},"signature":"${signature}"}`;
}

/** The headers of a notification (Standard Webhooks 1.0): name, value, name, value… */
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
