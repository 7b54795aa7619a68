import type { ServiceModel } from "../../../model/service-model.ts";
import { jsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { draft7Schema } from "../../../print/json-schema/draft7-schema.ts";
import { carriedOf, extensionsOf, memberOf } from "./carried.ts";
import { standardError } from "./errors.ts";
import { standardMethod } from "./method.ts";
import { securityOf } from "./security.ts";

/** A standard interface as OpenRPC describes it, ready to be printed. Members that are undefined are absent. */
export function standardDocument(model: ServiceModel) {
  const schemas = jsonSchemas(model, {
    docs: true,
    formatPatterns: true,
    refPrefix: "#/components/schemas/",
  });
  const { info, version, servers, externalDocs, components, ...others } = carriedOf(model);
  return {
    openrpc: "1.3.2",
    info: {
      ...Object(info),
      title: model.title,
      version: typeof version === "string" ? version : model.revision,
      description: model.doc === "" ? undefined : model.doc,
      "x-generated": `By ledger-rpc from the ${model.name} interface, revision ${model.revision}. Do not edit.`,
    },
    servers: Array.isArray(servers) ? servers : [server(model)],
    externalDocs,
    methods: model.methods.map((method) => standardMethod(method, { model, schemas })),
    components: {
      ...Object(components),
      schemas: Object.fromEntries(
        Object.values(schemas.definitions).map(({ name, schema }) => [name, draft7Schema(schema)] as const),
      ),
      errors: Object.fromEntries(model.errors.map((error) => [error.code, standardError(error)])),
    },
    "x-tags": memberOf(others, "tags"),
    ...securityOf(model),
    ...extensionsOf(model),
  };
}

function server(model: ServiceModel) {
  return {
    name: model.name,
    url: `http://localhost${model.path}`,
    description: `The path is \`${model.path}\`; the host is the deployment's.`,
  };
}
