import { createPrivateKey, createPublicKey, verify, type KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Identity } from "../../../../conformance/request/access.ts";
import { basicCredential, signedEnvelope } from "../../../../conformance/request/schemes/signed-envelope.ts";
import { canonicalText } from "../../../../conformance/values/index.ts";
import { provesKey } from "../../../../conformance/suite/methods.ts";
import type { ServiceModel } from "../../../../generator/model/service-model.ts";
import { membersOf, type SentCall } from "./read-call.ts";
import { errorResponse, faultCode, type ErrorResponse } from "./error-response.ts";

/** Checks the credential, the key and the signature of a call, in this order (D-05). Nothing: it is the caller's. */
export type Authenticate = (call: SentCall, headers: IncomingHttpHeaders) => ErrorResponse | undefined;

type Claims = ReadonlyMap<string, unknown>;

/** The documented authentication, for the one caller that an access file names. */
export function authenticator(model: ServiceModel, caller: Identity): Authenticate {
  const own = createPublicKey(createPrivateKey(caller.privateKeyPem));
  const missing = new Map(model.auth.map((member) => [member.name, member.missing]));
  const code = (fault: string): string => faultCode(model, fault);

  const absent = (claims: Claims, name: string): ErrorResponse | undefined => {
    const value = claims.get(name);
    return typeof value === "string" && value !== ""
      ? undefined
      : errorResponse(missing.get(name) ?? code("badCredential"), { reason: `missing-${name}` });
  };

  function credentialOf({ method: { transport } }: SentCall, claims: Claims): ErrorResponse | undefined {
    const needsApiKey = transport.kind === "enveloped" && transport.auth.includes("apiKey");
    const unnamed = absent(claims, "credential");
    if (unnamed !== undefined) return unnamed;
    if (claims.get("credential") !== basicCredential(caller)) return errorResponse(code("badCredential"));
    if (!needsApiKey && claims.get("apiKey") === undefined) return undefined;
    const wrong = claims.get("apiKey") === caller.apiKey ? undefined : errorResponse(code("badCredential"));
    return absent(claims, "apiKey") ?? wrong;
  }

  function keyOf({ method, payload }: SentCall, claims: Claims): KeyObject | ErrorResponse {
    const unnamed = absent(claims, "keyId");
    if (unnamed !== undefined) return unnamed;
    if (claims.get("keyId") === caller.keyId) return own;
    const field = method.registersKey?.publicKey;
    const pem = field === undefined ? undefined : membersOf(payload, [field]).get(field);
    return presentedKey(pem) ?? errorResponse(code("unknownKey"));
  }

  return (call, headers) => {
    const claims =
      call.api === undefined ? claimsIn(headers) : membersOf(call.api, Object.keys(signedEnvelope.members));
    const unknown = credentialOf(call, claims);
    if (unknown !== undefined) return unknown;
    const isShown = claims.has("keyId") || claims.has("signature");
    if (!isShown && !provesKey(call.method.transport)) return undefined;
    const key = keyOf(call, claims);
    if ("kind" in key) return key;
    const unsigned = absent(claims, "signature");
    if (unsigned !== undefined) return unsigned;
    const agrees = call.api === undefined || !headersDiffer(claims, headers);
    const texts = [call.payloadText, ...(call.api === undefined ? [] : [canonicalText(call.payload)])];
    const isSigned = agrees && texts.some((text) => signs(key, text, String(claims.get("signature"))));
    return isSigned ? undefined : errorResponse(code("invalidSignature"));
  };
}

/** The headers of a flat body (section 5.4). */
function claimsIn({ authorization, signature }: IncomingHttpHeaders): Claims {
  const credential = authorization?.replace(/^basic +/i, "Basic ");
  const signed = signatureHeader(signature);
  return new Map<string, unknown>([
    ...signed,
    ...(credential === undefined ? [] : [["credential", credential] as const]),
  ]);
}

/** Whether headers beside `params.api` say something else (D-23). */
function headersDiffer(claims: Claims, headers: IncomingHttpHeaders): boolean {
  const { authorization, signature } = headers;
  if (authorization !== undefined && /^basic +/i.test(authorization)) {
    if (claimsIn(headers).get("credential") !== claims.get("credential")) return true;
  }
  if (signature === undefined || headers["signature-input"] !== undefined) return false;
  const signed = signatureHeader(signature);
  return signed.get("keyId") !== claims.get("keyId") || signed.get("signature") !== claims.get("signature");
}

/** `keyId=…,algorithm=ecdsa-sha256,signature=…`, as far as it is there; nothing of a header with anything else. */
function signatureHeader(header: string | readonly string[] | undefined): Claims {
  if (typeof header !== "string" || header.length > 1024) return new Map();
  const parts = new Map<string, string>();
  for (const part of header.split(",")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (parts.has(name) || !["keyId", "algorithm", "signature"].includes(name)) return new Map();
    parts.set(
      name,
      part
        .slice(at + 1)
        .trim()
        .replaceAll('"', ""),
    );
  }
  if (parts.get("algorithm") !== "ecdsa-sha256") parts.delete("signature");
  return parts;
}

/** The key that a payload presents to have it registered (D-21). */
function presentedKey(pem: unknown): KeyObject | undefined {
  if (typeof pem !== "string") return undefined;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** ECDSA with SHA-256, in strict base64: DER, or 64 bytes of IEEE P1363 (D-16). */
function signs(key: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, "base64");
  if (bytes.toString("base64") !== signature) return false;
  const dsaEncoding = bytes.length === 64 ? "ieee-p1363" : "der";
  return verify("sha256", Buffer.from(text), { key, dsaEncoding }, bytes);
}
