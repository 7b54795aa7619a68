import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import type { Protocol } from "../protocol.ts";
import { clientMembers } from "./client/names.ts";

/** The placeholder of a value that is secret, or that differs in each call. */
const blank = "…";

/** Envelopes with a signed payload, and flat bodies. */
export const signed: Protocol = {
  without: [],
  errorCode: "name",
  pathKeys: ["path"],
  typesEvents: false,
  sendsStatuses: () => true,
  clientMembers,
  exchange: {
    request({ transport, name }, payload) {
      if (transport.kind !== "enveloped") return payload;
      const api = Object.fromEntries(transport.auth.map((member) => [member, blank]));
      return { method: name, id: "1", params: { api, payload } };
    },
    answer({ transport }, result) {
      if (transport.kind !== "enveloped") return result;
      return omitUndefined({ id: "1", result, jsonrpc: transport.jsonrpc ? "2.0" : undefined });
    },
    failure: ({ code, wireCode, rpcCode }, message) => ({
      id: "1",
      error: { code: wireCode ?? code, message, data: { rpcCode } },
      jsonrpc: "2.0",
    }),
  },
};
