import { generatedBy } from "../../print/preamble.ts";
import type { EventModel, ServiceModel } from "../../model/service-model.ts";
import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchemas } from "../../print/json-schema/json-schema.ts";
import type { DocumentsPart } from "../../protocols/protocol.ts";

/** The events that the service sends, ready to be printed. */
export function asyncApiDocument(model: ServiceModel, part: DocumentsPart["events"]) {
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
      "x-generated": generatedBy(model),
    },
    defaultContentType: "application/json",
    channels: {
      events: {
        address: null,
        description: part.channel,
        messages: Object.fromEntries(messages.map(([name]) => [name, reference("messages", name)])),
      },
    },
    operations: Object.fromEntries(
      messages.map(([name, event]) => [`send${event.names.type}`, operation(name, event)]),
    ),
    components: {
      messages: Object.fromEntries(
        messages.map(([name, event]) => [name, message(event, part, model, schemas)]),
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

function message(
  event: EventModel,
  part: DocumentsPart["events"],
  model: ServiceModel,
  schemas: JsonSchemas,
) {
  const { doc, deprecated, section, decisions } = event;
  const content = { $ref: `#/components/schemas/${interfaceNames(model).ofEvent(event)}` };
  return {
    name: event.name,
    title: event.name,
    description: doc === "" ? undefined : doc,
    payload: part.message(event, content, schemas, model),
    "x-deprecated": deprecated,
    "x-section": section,
    "x-decisions": decisions.length === 0 ? undefined : decisions,
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
