import { omitUndefined, type JsonValue, type MethodDescriptor } from "../../contract/index.ts";
import { parseSignatureHeader } from "../../signing/index.ts";
import type { ClaimedCaller, Envelope, RawRequest } from "../../ports/index.ts";

/** Who a request says it is from, in one form for enveloped and flat bodies. Nothing here is believed yet. */
export type Claims = Readonly<Partial<Record<string, JsonValue>>>;

/** The members of `params.api`, or of a flat body the headers that stand for them (D-22). */
export function claimsOf(envelope: Envelope, request: RawRequest): Claims {
  if (envelope.kind === "enveloped") return envelope.api;
  const credential = basicCredential(request);
  const header = request.header("signature");
  const signed = header === undefined ? undefined : parseSignatureHeader(header);
  return omitUndefined({ credential, ...signed });
}

/** Who the claims name, for the log of failed sign-ins. */
export function claimedBy({ keyId }: Claims, userName?: string): ClaimedCaller {
  return omitUndefined({ userName, keyId: typeof keyId === "string" ? keyId : undefined });
}

/** Whether a method asks for `apiKey` beside the credential (4.1–4.4, 4.6). */
export function requiresApiKey({ transport }: MethodDescriptor): boolean {
  return transport.kind === "enveloped" && transport.auth.includes("apiKey");
}

/** Whether a call in an envelope has to prove its key: where the method asks for that, or the caller sends a part of it. */
export function isSigned({ transport }: MethodDescriptor, claims: Claims): boolean {
  return (
    transport.kind !== "enveloped" ||
    ["keyId", "signature"].some((member) => transport.auth.includes(member) || claims[member] !== undefined)
  );
}

/**
 * Whether the headers of an enveloped call contradict its `params.api` (D-23). Authorization schemes other than
 * Basic are a gateway's business; a `Signature` that goes with a `Signature-Input` is one of RFC 9421.
 */
export function headersContradict(claims: Claims, request: RawRequest): boolean {
  const credential = basicCredential(request);
  if (credential !== undefined && credential !== claims["credential"]) return true;
  const header = request.header("signature");
  if (header === undefined || request.header("signature-input") !== undefined) return false;
  const signed = parseSignatureHeader(header);
  return (
    signed?.keyId === undefined ||
    signed.keyId !== claims["keyId"] ||
    signed.signature !== claims["signature"]
  );
}

const basicScheme = /^basic +/i;

function basicCredential(request: RawRequest): string | undefined {
  const header = request.header("authorization");
  return header !== undefined && basicScheme.test(header) ? header.replace(basicScheme, "Basic ") : undefined;
}
