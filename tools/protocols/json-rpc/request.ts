import { randomUUID } from "node:crypto";
import type { Access } from "../../../conformance/request/access.ts";
import { credentialHeaders, satisfiable } from "../../../conformance/request/credentials.ts";
import { MissingValue } from "../../../conformance/request/resolve-value.ts";
import { requestText } from "../../call/exchange.ts";
import type { SignedRequest, UnsignedCall } from "../port.ts";

/** The credentials of the first alternative that the access file allows. */
export function standardRequest(
  { model, method: name, params, isNotification, url }: UnsignedCall,
  { credentials = {} }: Access,
): SignedRequest {
  const body = requestText(name, params, isNotification ? undefined : 1);
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
    const { secret, privateKeyPem } = credentials[scheme] ?? {};
    const { kind } = model.schemes.find((each) => each.name === scheme) ?? {};
    if (kind === "jwt" && secret === undefined && privateKeyPem === undefined)
      throw new Error(
        `credentials.${scheme} needs the issuer's secret or privateKeyPem: with a token of yours set LEDGER_RPC_TOKEN`,
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
