import { exampleId } from "../../model/resolve.ts";
import type { Protocol } from "../protocol.ts";
import { clientMembers } from "./client/names.ts";

/** The placeholder of a value that is secret, or that differs in each call. */
const blank = "…";
const usualId = "1";

/** Envelopes with a signed payload, and flat bodies. */
export const facts: Protocol = {
  protocol: "signed-envelope",
  without: [],
  errorCode: "name",
  isSigned: true,
  postsEvents: true,
  transports: () => ["http"],
  ignoresCase: true,
  pathKeys: ["path"],
  typesEvents: false,
  sendsStatuses: () => true,
  clientMembers,
  exchange: {
    request(method, payload, model) {
      const { transport, name } = method;
      if (transport.kind !== "enveloped") return payload;
      const api = Object.fromEntries(transport.auth.map((member) => [member, blank]));
      return { method: name, id: exampleId(model, usualId, method), params: { api, payload } };
    },
    answer(method, result, model) {
      const { transport } = method;
      if (transport.kind !== "enveloped") return result;
      const error = transport.nullError === true ? { error: null } : {};
      const jsonrpc = transport.jsonrpc ? { jsonrpc: "2.0" } : {};
      return { id: exampleId(model, usualId, method), result, ...error, ...jsonrpc };
    },
    failure: ({ code, wireCode, rpcCode }, message, model, method) => ({
      id: method?.transport.kind === "flat" ? null : exampleId(model, usualId, method),
      error: { code: wireCode ?? code, message, data: { rpcCode } },
      jsonrpc: "2.0",
    }),
  },
};
