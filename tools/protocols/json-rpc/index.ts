import { openStandardAccess } from "../../../conformance/request/standard-access.ts";
import { wireOf } from "../../../generator/protocols/json-rpc/wire.ts";
import type { ProtocolTools, SignedRequest, UnsignedCall } from "../port.ts";
import { randomUUID, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import type { Access } from "../../../conformance/request/access.ts";
import { credentialHeaders, satisfiable } from "../../../conformance/request/credentials.ts";
import { MissingValue } from "../../../conformance/request/resolve-value.ts";
import { requestText } from "../../call/exchange.ts";
import type { Credential } from "../../../conformance/request/credential.ts";
import { isOwnKind } from "../../../conformance/suite/json-rpc.ts";
import type { SchemeModel } from "../../../generator/model/service-model.ts";

/** JSON-RPC 2.0 by the letter. */
export const jsonRpc: ProtocolTools = {
  readAccess(model, file) {
    const { protocol, http, batch } = wireOf(model);
    return openStandardAccess(file, { protocol, ...http, batch, schemes: model.schemes });
  },
  newAccess({ schemes }, samples) {
    const credentials = schemes.flatMap((scheme) => {
      const credential = newCredential(scheme);
      return credential === undefined ? [] : [[scheme.name, credential] as const];
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

/** A credential that a scheme takes; nothing for certificates. */
function newCredential(scheme: SchemeModel): object | undefined {
  const { kind, options } = scheme;
  const algorithms = options["algorithms"];
  const [algorithm] = Array.isArray(algorithms) ? algorithms.map(String) : [];
  switch (kind) {
    case "basic":
      return { user: "mock", password: newSecret() };
    case "bearer":
      return { token: newSecret(), limited: newSecret(), expired: newSecret() };
    case "api-key":
      return { key: newSecret(), limited: newSecret(), expired: newSecret() };
    case "hmac":
      return { keyId: "mock-key", secret: newSecret() };
    case "jwt":
    case "message-signature":
      return signingCredential(algorithm ?? "");
    default:
      return isOwnKind(scheme) ? newHeaders(scheme) : undefined;
  }
}

/** Headers for a scheme of the project's own, whose form only its verifier knows. */
function newHeaders({ kind, options }: SchemeModel): object {
  const name = typeof options["header"] === "string" ? options["header"] : kind;
  const headers = (): object => ({ [name]: newSecret() });
  return { headers: headers(), wrong: headers(), expired: headers(), limited: headers() };
}

/** A secret where the algorithm is symmetric (RFC 7518, section 3.2: as long as the hash), or else a private key. */
function signingCredential(algorithm: string): Credential {
  if (/^HS|^hmac/.test(algorithm)) return { keyId: "mock-key", secret: newSecret(64), algorithm };
  const privateKeyPem = newPrivateKey(algorithm).export({ type: "pkcs8", format: "pem" }).toString();
  return { keyId: "mock-key", privateKeyPem, algorithm };
}

function newPrivateKey(algorithm: string): KeyObject {
  if (/^ed/i.test(algorithm)) return generateKeyPairSync("ed25519").privateKey;
  const namedCurve = curves.get(algorithm);
  if (namedCurve !== undefined) return generateKeyPairSync("ec", { namedCurve }).privateKey;
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

const curves: ReadonlyMap<string, string> = new Map([
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
  ["ecdsa-p256-sha256", "P-256"],
  ["ecdsa-p384-sha384", "P-384"],
]);

function newSecret(bytes = 24): string {
  return randomBytes(bytes).toString("base64url");
}
