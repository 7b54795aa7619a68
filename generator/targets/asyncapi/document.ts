import type { EventModel, ServiceModel } from "../../model/service-model.ts";
import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema, type JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { notificationSchema } from "../../print/json-schema/notification-schema.ts";

/**
 * The events that the service sends, ready to be printed. Those of a signed interface are posted to the addresses that
 * callers subscribe with, so their channel has no address of its own; those of a standard one are notifications of
 * JSON-RPC 2.0 over the connection.
 */
export function asyncApiDocument(model: ServiceModel) {
  const schemas = jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    refPrefix: "#/components/schemas/",
  });
  const names = interfaceNames(model);
  const payloads = model.events.map((event) => [names.ofEvent(event), schemas.event(event)] as const);
  const reached = new Set(payloads.flatMap(([, schema]) => schemas.reachedFrom(schema)));
  const taken = new Set<string>();
  const messages = model.events.map((event) => [claim(event.names.value, taken), event] as const);
  return {
    asyncapi: "3.0.0",
    info: {
      title: model.title,
      version: model.revision,
      description: model.doc === "" ? undefined : model.doc,
      "x-generated": `By ledger-rpc from the ${model.name} interface, revision ${model.revision}. Do not edit.`,
    },
    defaultContentType: "application/json",
    channels: {
      events: {
        address: null,
        description: isStandard(model)
          ? "The connection on which callers call."
          : "The addresses that callers subscribe with.",
        messages: Object.fromEntries(messages.map(([name]) => [name, reference("messages", name)])),
      },
    },
    operations: Object.fromEntries(
      messages.map(([name, event]) => [`send${event.names.type}`, operation(name, event)]),
    ),
    components: {
      messages: Object.fromEntries(
        messages.map(([name, event]) => [name, message(event, model, names.ofEvent(event), schemas)]),
      ),
      schemas: Object.fromEntries([
        ...definitionsIn(schemas, reached),
        ...payloads.map(([name, schema]) => [name, draft7Schema(schema)] as const),
      ]),
    },
  };
}

function operation(name: string, { causedBy, otherCauses }: EventModel) {
  return {
    action: "send",
    channel: { $ref: "#/channels/events" },
    messages: [{ $ref: `#/channels/events/messages/${name}` }],
    "x-caused-by": causedBy.length === 0 ? undefined : causedBy,
    "x-other-causes": otherCauses.length === 0 ? undefined : otherCauses,
  };
}

function message(event: EventModel, model: ServiceModel, payload: string, schemas: JsonSchemas) {
  const { doc, deprecated, section, decisions } = event;
  const content = { $ref: `#/components/schemas/${payload}` };
  return {
    name: event.name,
    title: event.name,
    description: doc === "" ? undefined : doc,
    payload: isStandard(model)
      ? jsonRpcNotification(event, content)
      : notificationSchema(event, content, schemas),
    "x-deprecated": deprecated,
    "x-section": section,
    "x-decisions": decisions.length === 0 ? undefined : decisions,
  };
}

/** A notification from the service (JSON-RPC 2.0, section 4.1): it has no `id`. */
function jsonRpcNotification({ name }: EventModel, params: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["jsonrpc", "method", "params"],
    properties: { jsonrpc: { const: "2.0" }, method: { const: name }, params },
  };
}

function definitionsIn({ definitions }: JsonSchemas, wanted: ReadonlySet<string>) {
  return Object.values(definitions)
    .filter(({ name }) => wanted.has(name))
    .map(({ name, schema }) => [name, draft7Schema(schema)] as const);
}

function reference(kind: string, name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

function isStandard({ wire }: ServiceModel): boolean {
  return wire.protocol === "json-rpc-2.0";
}
