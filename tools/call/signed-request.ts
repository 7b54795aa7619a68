import { randomUUID } from "node:crypto";
import { openAccess, operatorAccess, type Access, type Identity } from "../../conformance/request/access.ts";
import { basic } from "../../conformance/request/build.ts";
import { credentialHeaders, satisfiable } from "../../conformance/request/credentials.ts";
import { signedMessageHeaders } from "../../conformance/request/message-signature.ts";
import { drawId } from "../../conformance/request/draw-id.ts";
import { MissingValue } from "../../conformance/request/resolve-value.ts";
import { signatureText } from "../../conformance/request/sign.ts";
import { openStandardAccess } from "../../conformance/request/standard-access.ts";
import { requestIdOf, type MethodModel, type ServiceModel } from "../../generator/model/index.ts";
import { requestText } from "./exchange.ts";

/** A request that proves who calls. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A call before it is signed. */
export interface UnsignedCall {
  readonly model: ServiceModel;
  readonly method: string;
  readonly params: string | undefined;
  readonly isNotification: boolean;
  readonly url: string;
}

/** Reads who calls: the file that `ledger-rpc conform --access` takes. @throws Error with every mistake in it */
export function callAccess({ name, wire, schemes }: ServiceModel, file: string): Access {
  if (wire.protocol === "signed-envelope") {
    const access = openAccess(file);
    // A file that names an operator says with `baseUrl` where the operator does not call.
    return name === "operator" && access.operator !== undefined ? operatorAccess(access, new Set()) : access;
  }
  const { protocol, http, batch } = wire;
  return openStandardAccess(file, { protocol, ...http, batch, schemes });
}

/** Makes the request of a call, by the authentication of the spec. @throws Error for what the access file does not have */
export function signedRequest(call: UnsignedCall, access: Access): SignedRequest {
  const { model, method: name } = call;
  const method = model.methods.find((each) => each.name === name);
  return model.wire.protocol === "signed-envelope"
    ? envelopeRequest(call, method, access)
    : standardRequest(call, method, access);
}

/** The credentials of the first alternative that the access file allows. */
function standardRequest(
  { model, method: name, params, isNotification, url }: UnsignedCall,
  method: MethodModel | undefined,
  { credentials = {} }: Access,
): SignedRequest {
  const body = requestText(name, params, isNotification ? undefined : 1);
  const security = method?.security ?? [];
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

/** The payload is signed as it was given, digit by digit (section 5.1). */
function envelopeRequest(
  { method: name, params = "{}", model, url }: UnsignedCall,
  method: MethodModel | undefined,
  access: Access,
): SignedRequest {
  const revision = { "x-interface-revision": model.revision };
  if (method?.transport.kind === "flat") {
    const signature = signatureText(Buffer.from(params), access);
    const header = `keyId=${access.keyId},algorithm=ecdsa-sha256,signature=${signature}`;
    const headers = { ...revision, authorization: basic(access), signature: header };
    return signedMessage({ headers, body: params }, url, access);
  }
  // A method that the spec does not have is called with everything that may prove the caller.
  const members = method?.transport.kind === "enveloped" ? method.transport.auth : signedMembers;
  const ids = requestIdOf(model, method);
  const id = ids === undefined ? randomUUID() : drawId(ids);
  const body = envelopeText({ id, method: name, payload: params, members }, access);
  const request = { headers: revision, body };
  return members.includes("signature") ? signedMessage(request, url, access) : request;
}

/** The members of `params.api` that prove a key. */
export const signedMembers: readonly string[] = ["credential", "keyId", "signature"];

/** Signs the HTTP message, too, where the access file says that the service requires it. */
export function signedMessage(request: SignedRequest, address: string, access: Access): SignedRequest {
  if (access.messageSignatures !== true) return request;
  const { pathname, search } = new URL(address);
  const message = {
    ...request,
    httpMethod: "POST",
    target: pathname + search,
    body: Buffer.from(request.body),
  };
  return { ...request, headers: signedMessageHeaders(message, access) };
}

/** An envelope before it is signed. */
export interface UnsignedEnvelope {
  readonly id: string;
  readonly method: string;
  /** JSON text. */
  readonly payload: string;
  /** Members of `params.api` that the method asks for. */
  readonly members: readonly string[];
}

/** A request of the signed envelope (section 3). */
export function envelopeText({ id, method, payload, members }: UnsignedEnvelope, identity: Identity): string {
  const known: Readonly<Record<string, () => string>> = {
    credential: () => basic(identity),
    keyId: () => identity.keyId,
    signature: () => signatureText(Buffer.from(payload), identity),
    apiKey: () => identity.apiKey,
  };
  const listed = Object.entries(known).filter(([member]) => members.includes(member));
  const api = Object.fromEntries(listed.map(([member, value]) => [member, value()]));
  const params = `{"api":${JSON.stringify(api)},"payload":${payload}}`;
  return `{"id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${params}}`;
}
