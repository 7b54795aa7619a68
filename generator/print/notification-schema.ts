import type { EventModel } from "../model/service-model.ts";
import type { JsonSchema } from "./json-schema.ts";

/** A notification as it is sent (D-41). */
export function notificationSchema(event: EventModel, payload: JsonSchema): JsonSchema {
  const text = { type: "string" } as const;
  const properties = {
    source: text,
    eventId: text,
    eventName: { const: event.name },
    groupId: { type: "array", items: text },
    subscriptionId: text,
    timestamp: text,
    sequence: { type: "integer", minimum: 0 },
    payload,
    signature: { type: "string", description: "Base64 DER ECDSA P-256 over the bytes of `payload`." },
  } as const;
  return { type: "object", required: Object.keys(properties), properties };
}
