import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { jsonSchemas, type JsonSchema, type JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { generatedBy } from "../../print/preamble.ts";
import { since31, type Dialect } from "./dialect.ts";

/** The part of an OpenAPI document that depends on the protocol. */
export interface OpenApiSource {
  readonly paths: object;
  readonly webhooks?: object | undefined;
  /** Schemas beside those of the spec's types. */
  readonly schemas: Components;
  readonly parameters?: object;
  readonly securitySchemes?: object | undefined;
}

/** Schemas by name, in their order. */
export type Components = readonly (readonly [name: string, schema: JsonSchema])[];

/** The schemas that a document refers to. */
export function documentSchemas(model: ServiceModel): JsonSchemas {
  return jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    typed: true,
    refPrefix: "#/components/schemas/",
  });
}

/** An interface as OpenAPI, ready to be printed. */
export function openApiDocument(
  model: ServiceModel,
  dialect: Dialect,
  { definitions }: JsonSchemas,
  { paths, webhooks, schemas, parameters, securitySchemes }: OpenApiSource,
) {
  const own = Object.values(definitions).map(({ name, schema }) => [name, schema] as const);
  return {
    openapi: dialect.version,
    info: { title: model.title, version: model.revision, description: text(model.doc) },
    servers: [{ url: "http://localhost", description: "The host is the deployment's." }],
    tags: model.services.map(({ name, doc }) => ({ name, description: text(doc) })),
    paths,
    ...since31(dialect, "webhooks", webhooks),
    components: {
      schemas: Object.fromEntries(
        [...own, ...schemas].map(([name, schema]) => [name, dialect.schema(schema)]),
      ),
      parameters,
      securitySchemes,
    },
    "x-generated": generatedBy(model),
  };
}

/** What an operation says of its method, whatever the protocol. */
export function operationHead({ names, service, name, doc, deprecated }: MethodModel) {
  return {
    operationId: names.value,
    tags: service === undefined ? undefined : [service],
    summary: name,
    description: text(doc),
    deprecated: deprecated === undefined ? undefined : true,
  };
}

function text(doc: string): string | undefined {
  return doc === "" ? undefined : doc;
}
