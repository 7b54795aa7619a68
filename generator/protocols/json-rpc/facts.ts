import { standardParams } from "../../print/standard-params.ts";
import { isNotification } from "../../model/resolve.ts";
import type { Protocol } from "../protocol.ts";
import { clientMembers } from "./client/names.ts";
import { wireOf } from "./wire.ts";

/** JSON-RPC 2.0 by the letter, over HTTP, WebSocket and streams. */
export const facts: Protocol = {
  protocol: "json-rpc-2.0",
  without: ["revisions", "shapes"],
  errorCode: "number",
  isSigned: false,
  postsEvents: false,
  transports: (model) => wireOf(model).transports,
  ignoresCase: false,
  pathKeys: ["wire", "http", "path"],
  typesEvents: true,
  sendsStatuses: (model) => wireOf(model).http.status === "mapped",
  clientMembers,
  exchange: {
    request: (method, payload) => ({
      jsonrpc: "2.0",
      ...(isNotification(method) ? {} : { id: 1 }),
      method: method.name,
      params: standardParams(method, payload),
    }),
    answer: (_method, result) => ({ jsonrpc: "2.0", id: 1, result }),
    failure: ({ rpcCode }, message) => ({ jsonrpc: "2.0", id: 1, error: { code: rpcCode, message } }),
  },
};
