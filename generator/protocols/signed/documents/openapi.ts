import { methodPath } from "../../../model/index.ts";
import type { EventModel, HeaderModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { payloadSchema, resultSchema } from "../../../print/json-schema/method-schemas.ts";
import { notificationSchema } from "../../../print/json-schema/notification-schema.ts";
import { apiComponents, errorComponents, methodBodies, operationObject } from "./bodies.ts";
import { componentNames, type ComponentNames } from "./component-names.ts";
import { openApi31, reference, type Dialect } from "../../../targets/openapi/dialect.ts";
import { documentSchemas, openApiDocument, type Components } from "../../../targets/openapi/document.ts";

/**
 * The document, ready to be printed. All operations are one HTTP request to one path; OpenAPI tells operations apart
 * by path, so each path here ends in a fragment with the method's name, which no client sends. Each object has a name
 * of its own, after which typed clients name their types.
 */
export function signedOpenApi(model: ServiceModel, dialect: Dialect = openApi31) {
  const schemas = documentSchemas(model);
  const names = componentNames(model, Object.keys(schemas.definitions));
  return openApiDocument(model, dialect, schemas, {
    paths: pathsOf(model, names),
    webhooks: webhooksOf(model, names),
    schemas: [
      ...model.methods.flatMap((method) => methodComponents(method, model, schemas, names)),
      ...model.events.flatMap((event) => eventComponents(event, schemas, names)),
      ...apiComponents(model, names),
      ...errorComponents(model, names),
    ],
    parameters: { InterfaceRevision: revisionHeader(model) },
    securitySchemes: Object.fromEntries(
      model.authHeaders.map((header) => [header.name, securityScheme(header)]),
    ),
  });
}

function methodComponents(
  method: MethodModel,
  model: ServiceModel,
  schemas: JsonSchemas,
  names: ComponentNames,
): Components {
  const { payload, result } = names.types.of(method);
  const answered = resultSchema(method, schemas);
  const whole =
    method.transport.kind === "flat"
      ? schemas.definitions[answered.$ref?.split("/").at(-1) ?? ""]?.schema
      : undefined;
  return [
    [payload, payloadSchema(method, schemas)],
    [result, answered],
    ...methodBodies(method, whole ?? answered, model, names),
  ];
}

function eventComponents(event: EventModel, schemas: JsonSchemas, names: ComponentNames): Components {
  const schema = schemas.event(event);
  const name = names.types.ofEvent(event);
  const payload = schema.$ref === undefined ? reference(name) : { $ref: schema.$ref };
  return [
    [name, schema],
    [names.notification(event), notificationSchema(event, payload, schemas)],
  ];
}

function webhooksOf(model: ServiceModel, names: ComponentNames) {
  if (model.events.length === 0) return undefined;
  return Object.fromEntries(
    model.events.map((event) => {
      const schema = reference(names.notification(event));
      const post = {
        operationId: `on${event.names.type}`,
        summary: event.doc,
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: { "204": { description: "Received." } },
      };
      return [event.name, { post }];
    }),
  );
}

function pathsOf(model: ServiceModel, names: ComponentNames): Readonly<Record<string, object>> {
  return Object.fromEntries(
    model.methods.map((method) => [
      `${methodPath(method, model)}#${method.name}`,
      { post: operationObject(method, model, names) },
    ]),
  );
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
