import { wireOf } from "../wire.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { claim, interfaceNames } from "../../../print/interface-names.ts";
import type { JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { payloadSchema, resultSchema } from "../../../print/json-schema/method-schemas.ts";
import { reference, type Dialect } from "../../../targets/openapi/dialect.ts";
import { documentSchemas, openApiDocument, type Components } from "../../../targets/openapi/document.ts";
import { answerSchema, errorSchema, paramsSchema, requestEnvelope } from "./envelopes.ts";
import {
  notifyOf,
  onePathOperation,
  operation,
  type OperationSources,
  securitySchemes,
} from "./operation.ts";

/** How the document tells the operations of one path apart. */
export type Paths = "fragments" | "one-path";

/**
 * A standard interface as OpenAPI 3.1, ready to be printed. All its calls are one HTTP request to one path. With
 * `fragments`, each method has its own path, which ends in a fragment that no client sends. Generators then make one
 * function for each method, and it works. With `one-path` there is the real path alone, with the union of all calls:
 * mock servers and proxies match it.
 */
export function standardOpenApi(model: ServiceModel, paths: Paths, dialect: Dialect) {
  const schemas = documentSchemas(model);
  const names = interfaceNames(model);
  const taken = new Set([
    ...Object.values(schemas.definitions).map(({ name }) => name),
    ...model.methods.flatMap((method) => [names.of(method).payload, names.of(method).result]),
  ]);
  const error = claim(`${names.type}Error`, taken);
  const bodies = new Map(
    model.methods.map(({ name, names: { type } }) => [
      name,
      { request: claim(`${type}Request`, taken), response: claim(`${type}Response`, taken) },
    ]),
  );
  const sources: OperationSources = {
    model,
    names,
    bodies(method) {
      const known = bodies.get(method.name);
      if (known === undefined) throw new Error(`${method.name} is not of this model`);
      return known;
    },
  };
  return openApiDocument(model, dialect, schemas, {
    paths:
      paths === "one-path"
        ? { [model.path]: { post: onePathOperation(sources) } }
        : Object.fromEntries(
            model.methods.map((method) => [
              `${model.path}#${fragmentOf(method)}`,
              { post: operation(method, sources) },
            ]),
          ),
    schemas: [
      ...model.methods.flatMap((method) => methodSchemas(method, schemas, sources, error, dialect)),
      [error, errorSchema(model)],
    ],
    securitySchemes: model.schemes.length === 0 ? undefined : securitySchemes(model.schemes, dialect),
  });
}

/** OpenAPI would read braces in a path as a parameter. */
function fragmentOf({ name }: MethodModel): string {
  return name.replaceAll(/[^\w.~/:@!$&'()*+,;=-]/gu, encodeURIComponent);
}

function methodSchemas(
  method: MethodModel,
  schemas: JsonSchemas,
  { model, names, bodies }: OperationSources,
  error: string,
  dialect: Dialect,
): Components {
  const { payload, result } = names.of(method);
  const { request, response } = bodies(method);
  const { frame } = wireOf(model);
  const byName = payloadSchema(method, schemas);
  const named = byName.$ref?.slice("#/components/schemas/".length);
  const whole = named === undefined ? byName : (schemas.definitions[named]?.schema ?? byName);
  const answered = resultSchema(method, schemas);
  const params = named === undefined || dialect.version === "3.1.1" ? reference(payload) : byName;
  return [
    [payload, { title: `Parameters of ${method.name}`, ...paramsSchema(method, byName, whole, dialect) }],
    [result, { title: `Result of ${method.name}`, ...answered }],
    [request, requestEnvelope(method, params, frame, dialect)],
    ...(notifyOf(method) === "only"
      ? []
      : [[response, answerSchema(method, reference(result), reference(error), frame, dialect)] as const]),
  ];
}
