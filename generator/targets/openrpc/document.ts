import type { ServiceModel } from "../../model/service-model.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { jsonSchemas } from "../../print/json-schema/json-schema.ts";
import { authSchema } from "./auth-schema.ts";
import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import { errorObject } from "./errors.ts";
import { methodObject, serverAt, type MethodSources } from "./method-object.ts";

/** The document, ready to be printed. Members that are undefined are absent. */
export function openRpcDocument(model: ServiceModel) {
  const names = interfaceNames(model);
  const schemas = jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    refPrefix: "#/components/schemas/",
  });
  const taken = new Set(Object.keys(schemas.definitions));
  let auth = "Auth";
  while (taken.has(auth)) auth += "_";
  const sources: MethodSources = { model, names, schemas, auth };
  const definitions = Object.values(schemas.definitions).map(
    ({ name, schema }) => [name, draft7Schema(schema)] as const,
  );
  return {
    openrpc: "1.3.2",
    info: {
      title: model.title,
      version: model.revision,
      description: model.doc,
      "x-generated": `By ledger-rpc from the ${model.name} interface, revision ${model.revision}. Do not edit.`,
    },
    servers: [serverAt(model.path, model)],
    methods: model.methods.map((method) => methodObject(method, sources)),
    components: {
      schemas: Object.fromEntries([...definitions, [auth, authSchema(model)]]),
      errors: Object.fromEntries(model.errors.map((error) => [error.code, errorObject(error)])),
    },
  };
}
