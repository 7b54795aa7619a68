import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { claim, interfaceNames } from "../../../print/interface-names.ts";
import { jsonSchemas, type JsonSchema, type JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { payloadSchema, resultSchema } from "../../../print/json-schema/method-schemas.ts";
import { errorSchema, paramsSchema } from "./envelopes.ts";
import { operation, onePathOperation, type OperationSources } from "./operation.ts";
import { securitySchemes } from "./security-schemes.ts";

/** How the document tells the operations of one path apart. */
export type Paths = "fragments" | "one-path";

/**
 * A standard interface as OpenAPI 3.1, ready to be printed. All its calls are one HTTP request to one path. With
 * `fragments`, each method has a path of its own, which ends in a fragment that no client sends: generators make one
 * function for each method, and it works. With `one-path` there is the real path alone, with the union of all calls:
 * mock servers and proxies match it.
 */
export function standardDocument(model: ServiceModel, paths: Paths) {
  const schemas = jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    refPrefix: "#/components/schemas/",
  });
  const names = interfaceNames(model);
  const definitions = Object.values(schemas.definitions).map(({ name, schema }) => [name, schema] as const);
  const taken = new Set([
    ...definitions.map(([name]) => name),
    ...model.methods.flatMap((method) => [names.of(method).payload, names.of(method).result]),
  ]);
  const sources: OperationSources = { model, names, error: claim(`${names.type}Error`, taken) };
  return {
    openapi: "3.1.1",
    info: {
      title: model.title,
      version: model.revision,
      description: model.doc === "" ? undefined : model.doc,
    },
    servers: [{ url: "http://localhost", description: "The host is the deployment's." }],
    tags: model.services.map(({ name, doc }) => ({ name, description: doc === "" ? undefined : doc })),
    paths:
      paths === "one-path"
        ? { [model.path]: { post: onePathOperation(sources) } }
        : Object.fromEntries(
            model.methods.map((method) => [
              `${model.path}#${fragmentOf(method)}`,
              { post: operation(method, sources) },
            ]),
          ),
    components: {
      schemas: Object.fromEntries([
        ...definitions,
        ...model.methods.flatMap((method) => methodSchemas(method, schemas, sources)),
        [sources.error, errorSchema(model)],
      ]),
      securitySchemes: model.schemes.length === 0 ? undefined : securitySchemes(model.schemes),
    },
    "x-generated": `By ledger-rpc from the ${model.name} interface, revision ${model.revision}. Do not edit.`,
  };
}

/** OpenAPI would read braces in a path as a parameter. */
function fragmentOf({ name }: MethodModel): string {
  return name.replaceAll(/[^\w.~/:@!$&'()*+,;=-]/gu, encodeURIComponent);
}

function methodSchemas(
  method: MethodModel,
  schemas: JsonSchemas,
  { names }: OperationSources,
): readonly (readonly [string, JsonSchema])[] {
  const { payload, result } = names.of(method);
  const byName = payloadSchema(method, schemas);
  const named = byName.$ref?.slice("#/components/schemas/".length);
  const whole = named === undefined ? byName : (schemas.definitions[named]?.schema ?? byName);
  return [
    [payload, { title: `Parameters of ${method.name}`, ...paramsSchema(method, byName, whole) }],
    [result, { title: `Result of ${method.name}`, ...resultSchema(method, schemas) }],
  ];
}
