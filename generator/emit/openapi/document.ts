import { methodPath } from "../../model/index.ts";
import type { EventModel, HeaderModel, ServiceModel } from "../../model/service-model.ts";
import { declarationKeys } from "../../print/declaration-keys.ts";
import { createMemo } from "../../print/memo.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema } from "../../print/json-schema/json-schema.ts";
import { payloadSchema, resultSchema } from "../../print/json-schema/method-schemas.ts";
import { notificationSchema } from "../../print/json-schema/notification-schema.ts";
import { componentNames, type ComponentNames } from "./component-names.ts";
import { operationObject } from "./operation.ts";

/**
 * The document, ready to be printed. All operations are one HTTP request to one path; OpenAPI tells operations apart
 * by path, so each path here ends in a fragment with the method's name, which no client sends.
 */
export function openApiDocument(model: ServiceModel) {
  const schemas = jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    refPrefix: "#/components/schemas/",
  });
  const names = interfaceNames(model);
  const own = componentNames(model, Object.keys(schemas.definitions));
  const payloads = model.methods.flatMap((method) => [
    [names.of(method).payload, payloadSchema(method, schemas)] as const,
    [names.of(method).result, resultSchema(method, schemas)] as const,
  ]);
  return {
    openapi: "3.1.1",
    info: { title: model.title, version: model.revision, description: model.doc },
    servers: [{ url: "http://localhost", description: "The host is the deployment's." }],
    tags: model.services.map(({ name, doc }) => ({ name, description: doc })),
    paths: pathsOf(model, own),
    webhooks:
      model.events.length === 0
        ? undefined
        : Object.fromEntries(model.events.map((event) => [event.name, webhookObject(event)])),
    components: {
      schemas: Object.fromEntries([
        ...Object.values(schemas.definitions).map(({ name, schema }) => [name, schema] as const),
        ...payloads,
        ...model.events.map((event) => [names.ofEvent(event), schemas.event(event)] as const),
        [own.error, errorSchema(model)],
      ]),
      parameters: { InterfaceRevision: revisionHeader(model) },
      securitySchemes: Object.fromEntries(
        model.authHeaders.map((header) => [header.name, securityScheme(header)]),
      ),
    },
    "x-generated": `By ledger-rpc from the ${model.name} interface, revision ${model.revision}. Do not edit.`,
  };

  function webhookObject(event: EventModel) {
    const schema = notificationSchema(
      event,
      { $ref: `#/components/schemas/${names.ofEvent(event)}` },
      schemas,
    );
    return {
      post: {
        operationId: `on${event.names.type}`,
        summary: event.doc,
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { "204": { description: "Received." } },
      },
    };
  }
}

function pathsOf(model: ServiceModel, own: ComponentNames): Readonly<Record<string, object>> {
  const keys = declarationKeys(model);
  return Object.fromEntries(
    model.methods.map((method) => [
      `${methodPath(method, model)}#${method.name}`,
      operations.of(
        () => `${keys.ofMethod(method)} ${own.error}`,
        () => ({ post: operationObject(method, model, own) }),
      ),
    ]),
  );
}

const operations = createMemo<object>();

/** The answer with an error (D-01). */
function errorSchema(model: ServiceModel): JsonSchema {
  const data = {
    type: "object",
    properties: {
      field: { type: "string", description: "JSON Pointer into the payload." },
      reason: { type: "string", description: "A machine word that narrows the code." },
      requestId: { type: "string", description: "Names the request in the service's log." },
      rpcCode: { type: "integer", description: "The JSON-RPC 2.0 integer that the code maps to." },
    },
  } as const;
  const codes = model.errors.map(({ code, wireCode }) =>
    wireCode === undefined ? code : `${wireCode} (${code})`,
  );
  const isNumbered = model.errors.some(({ wireCode }) => wireCode !== undefined);
  const code: JsonSchema = {
    ...(isNumbered ? { anyOf: [{ type: "string" }, { type: "integer" }] } : { type: "string" }),
    description: `One of ${codes.join(", ")}, or one of a newer service.`,
  };
  return {
    description: "The service answered with an error.",
    type: "object",
    required: ["id", "error", "jsonrpc"],
    properties: {
      id: { description: "The request's; null where it could not be read." },
      error: {
        type: "object",
        required: ["code", "message"],
        properties: { code, message: { type: "string" }, data },
      },
      jsonrpc: { const: "2.0" },
    },
  };
}

function securityScheme({ name, doc, format }: HeaderModel) {
  return { type: "apiKey", in: "header", name, description: `${doc} \`${format}\`` };
}

/** Where a service serves several revisions, the header says which of them a request is in (D-46). */
function revisionHeader({ revision }: ServiceModel) {
  return {
    name: "X-Interface-Revision",
    in: "header",
    description: "The revision that the request is written in.",
    schema: { type: "string" },
    example: revision,
  };
}
