import type { EventModel } from "../../../model/service-model.ts";
import type { JsonSchema } from "../../../print/json-schema/json-schema.ts";
import { openApi30, openApi31 } from "../../../targets/openapi/dialect.ts";
import type { DocumentsPart } from "../../protocol.ts";
import { standardOpenApi } from "./openapi.ts";
import { openRpcDocument } from "./openrpc.ts";

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
function notification({ name }: EventModel, params: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["jsonrpc", "method", "params"],
    properties: { jsonrpc: { const: "2.0" }, method: { const: name }, params },
  };
}
