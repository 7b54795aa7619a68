import type { EventModel, ServiceModel } from "../../../model/service-model.ts";
import type { JsonSchema, JsonSchemas } from "../../../print/json-schema/json-schema.ts";
import { openApi30, openApi31 } from "../../../targets/openapi/dialect.ts";
import type { DocumentsPart } from "../../protocol.ts";
import { standardOpenApi } from "./openapi.ts";
import { openRpcDocument } from "./openrpc.ts";
import { wireOf } from "../wire.ts";

/**
 * Documents of a standard interface. `openapi.one-path.json` is its OpenAPI document with the one real path, for mock
 * servers.
 */
export const documents: DocumentsPart = {
  openRpc: openRpcDocument,
  openApi: (model) => ({
    "openapi.json": standardOpenApi(model, "fragments", openApi31),
    "openapi-3.0.json": standardOpenApi(model, "fragments", openApi30),
    "openapi.one-path.json": standardOpenApi(model, "one-path", openApi31),
  }),
  events: { channel: "The connection on which callers call.", message: notification },
};

/** A notification from the service (JSON-RPC 2.0, section 4.1): it has no `id`. */
function notification(
  { name }: EventModel,
  params: JsonSchema,
  _schemas: JsonSchemas,
  model: ServiceModel,
): JsonSchema {
  const { version, method, params: ofParams } = wireOf(model).frame;
  const properties = {
    ...(version && { [version.member]: { const: version.value } }),
    [method]: { const: name },
    [ofParams]: params,
  };
  return { type: "object", required: Object.keys(properties), properties };
}
