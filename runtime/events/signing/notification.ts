import type { DeliveryRecord, EventRecord } from "../../store/ports/index.ts";
import type { TranslatableEvent } from "../../pipeline/event-translator.ts";

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
 * The body of a notification (D-41). `payload` stands in it byte for byte as it was recorded: `signature`, base64 DER
 * ECDSA P-256, is over just these bytes.
 */
export function notificationBody(head: string, payloadJson: string, signature: string): string {
  return `${head}${payloadJson},"signature":"${signature}"}`;
}
