import type { EventModel } from "../../model/service-model.ts";
import type { JsonSchema, JsonSchemas } from "./json-schema.ts";

/** A notification as it is sent (D-41). */
export function notificationSchema(event: EventModel, payload: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const text = { type: "string" } as const;
  const { payloadName = "payload" } = event;
  const properties: Readonly<Record<string, JsonSchema>> = {
    source: text,
    eventId: text,
    eventName: { const: event.name },
    groupId: { type: "array", items: text },
    subscriptionId: text,
    timestamp: text,
    sequence: { type: "integer", minimum: 0 },
    [payloadName]: payload,
    signature: {
      type: "string",
      description: `Base64 DER ECDSA P-256 over the bytes of \`${payloadName}\`.`,
    },
  };
  const { properties: further, required = [], ...rules } = schemas.eventMembers(event);
  return {
    ...rules,
    type: "object",
    required: [...new Set([...Object.keys(properties), ...required])],
    properties: { ...properties, ...further },
  };
}
