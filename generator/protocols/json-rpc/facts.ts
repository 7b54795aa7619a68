import { framed } from "../../../conformance/base/frame.ts";
import { isNotification } from "../../model/resolve.ts";
import type { MethodModel } from "../../model/service-model.ts";
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
    request: (method, payload, model) =>
      framed(wireOf(model).frame, {
        id: isNotification(method) ? undefined : 1,
        method: method.name,
        params: standardParams(method, payload),
      }),
    answer: (_method, result, model) => framed(wireOf(model).frame, { id: 1, result }),
    failure: ({ rpcCode }, message, model) =>
      framed(wireOf(model).frame, { id: 1, error: { code: rpcCode, message } }),
  },
};

/** The params of a call: an array where the method takes them by position only. */
function standardParams({ payload, transport }: MethodModel, values: unknown): unknown {
  const isByPosition = transport.params === "by-position";
  if (!isByPosition || payload.kind === "forms" || typeof values !== "object" || values === null)
    return values;
  const held = payload.shape.fields.map(({ name }): unknown => Reflect.get(values, name));
  const last = held.findLastIndex((value) => value !== undefined);
  // An omitted value before a present one is null: by position, absent.
  return held.slice(0, last + 1).map((value) => (value === undefined ? null : value));
}
