import { openStandardAccess } from "../../../conformance/request/standard-access.ts";
import { wireOf } from "../../../generator/protocols/json-rpc/wire.ts";
import type { ProtocolTools, SignedRequest, UnsignedCall } from "../port.ts";
import { randomUUID } from "node:crypto";
import type { Access } from "../../../conformance/request/access.ts";
import { credentialHeaders, satisfiable } from "../../../conformance/request/credentials.ts";
import { MissingValue } from "../../../conformance/request/resolve-value.ts";
import { requestText } from "../../call/exchange.ts";
import { schemeKindOf } from "../../../conformance/request/schemes/index.ts";

/** JSON-RPC 2.0 by the letter, and its dialects. */
export const jsonRpc: ProtocolTools = {
  readAccess(model, file) {
    const { http, batch } = wireOf(model);
    return openStandardAccess(file, { protocol: "json-rpc-2.0", ...http, batch, schemes: model.schemes });
  },
  newAccess({ schemes }, samples) {
    const credentials = schemes.flatMap(({ name, kind, options }) => {
      const credential = schemeKindOf(kind)?.access.made?.(options);
      return credential === undefined ? [] : [[name, credential] as const];
    });
    return { credentials: Object.fromEntries(credentials), samples };
  },
  request: standardRequest,
  unauthenticated: (model) => String(wireOf(model).faults.unauthenticated.code),
};

/** The credentials of the first alternative that the access file allows. */
function standardRequest(
  { model, method: name, params, isNotification, url }: UnsignedCall,
  { credentials = {} }: Access,
): SignedRequest {
  const body = requestText(name, params, isNotification ? undefined : 1, wireOf(model).frame);
  const { security = [] } = model.methods.find((each) => each.name === name) ?? {};
  const uses = satisfiable(security, credentials);
  if (uses === undefined) {
    const isOpen = security.length === 0 || security.some((each) => each.length === 0);
    if (isOpen) return { headers: {}, body };
    const wanted = security.map((each) => each.map(({ scheme }) => scheme).join(" and ")).join(", or ");
    throw new Error(
      `${name} asks for ${wanted}: the access file has ${Object.keys(credentials).join(", ") || "no credentials"}`,
    );
  }
  for (const { scheme } of uses) {
    const { kind = "" } = model.schemes.find((each) => each.name === scheme) ?? {};
    const { toCall } = schemeKindOf(kind)?.access ?? {};
    if (toCall !== undefined && !toCall.some((member) => Object.hasOwn(credentials[scheme] ?? {}, member)))
      throw new Error(
        `credentials.${scheme} needs the issuer's ${toCall.join(" or ")}: with a token of yours set LEDGER_RPC_TOKEN`,
      );
  }
  const { pathname, search } = new URL(url);
  // Over WebSocket the handshake is what proves who calls.
  const signed = url.startsWith("ws")
    ? { httpMethod: "GET", body: Buffer.alloc(0) }
    : { httpMethod: "POST", body: Buffer.from(body) };
  const request = { ...signed, target: pathname + search };
  try {
    return { headers: credentialHeaders(uses, model.schemes, credentials, request, randomUUID()), body };
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    throw new Error(`the access file has no ${error.message.replace(/^.*?(credentials\.\S+).*$/s, "$1")}`, {
      cause: error,
    });
  }
}
