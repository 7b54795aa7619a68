import { randomUUID } from "node:crypto";
import type { Access, Identity } from "../../../conformance/request/access.ts";
import { drawId } from "../../../conformance/request/wire-request.ts";
import { signedMessageHeaders } from "../../../conformance/request/message-signature.ts";
import { signedEnvelope } from "../../../conformance/request/schemes/signed-envelope.ts";
import { requestIdOf } from "../../../generator/model/index.ts";
import type { SignedRequest, UnsignedCall } from "../port.ts";

/** The payload is signed as it was given, digit by digit (section 5.1). */
export function envelopeRequest(
  { method: name, params = "{}", model, url }: UnsignedCall,
  access: Access,
): SignedRequest {
  const method = model.methods.find((each) => each.name === name);
  const revision = { "x-interface-revision": model.revision };
  if (method?.transport.kind === "flat") {
    const proof = signedEnvelope.proof(access, Buffer.from(params));
    const headers = { ...revision, ...signedEnvelope.headers(proof) };
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

/** The members of `params.api` that prove a caller and a key. */
export const signedMembers: readonly string[] = [...signedEnvelope.always, ...signedEnvelope.ofKeys];

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
  const proof = Object.entries(signedEnvelope.proof(identity, Buffer.from(payload)));
  const api = Object.fromEntries(proof.filter(([member]) => members.includes(member)));
  const params = `{"api":${JSON.stringify(api)},"payload":${payload}}`;
  return `{"id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${params}}`;
}
