import type { DeliveryRecord, EventRecord } from "../ports/index.ts";

/**
 * The body of a notification (D-41). `payload` stands in it byte for byte as it was recorded: `signature`, base64 DER
 * ECDSA P-256, is over just these bytes.
 */
export function notificationBody(
  event: Pick<EventRecord, "id" | "name" | "source" | "payloadJson" | "createdAt">,
  delivery: Pick<DeliveryRecord, "subscriptionId" | "accountNumbers" | "sequence">,
  signature: string,
): string {
  const head = JSON.stringify({
    source: event.source,
    eventId: event.id,
    eventName: event.name,
    groupId: delivery.accountNumbers,
    subscriptionId: delivery.subscriptionId,
    timestamp: new Date(event.createdAt).toISOString(),
    sequence: delivery.sequence,
  });
  return `${head.slice(0, -1)},"payload":${event.payloadJson},"signature":"${signature}"}`;
}
