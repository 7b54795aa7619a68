import { notificationSchema } from "../../../print/json-schema/notification-schema.ts";
import { openApi30 } from "../../../targets/openapi/dialect.ts";
import type { DocumentsPart } from "../../protocol.ts";
import { signedOpenApi } from "./openapi.ts";
import { openRpcDocument } from "./openrpc.ts";

/** Documents of a signed interface. Its events are posted to addresses, so that their channel has none of its own. */
export const documents: DocumentsPart = {
  openRpc: openRpcDocument,
  openApi: (model) => ({
    "openapi.json": signedOpenApi(model),
    "openapi-3.0.json": signedOpenApi(model, openApi30),
  }),
  events: { channel: "The addresses that callers subscribe with.", message: notificationSchema },
};
