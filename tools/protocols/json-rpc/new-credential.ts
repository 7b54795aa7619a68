import { generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";
import type { Credential } from "../../../conformance/request/credential.ts";
import { isOwnKind } from "../../../conformance/suite/json-rpc.ts";
import type { SchemeModel } from "../../../generator/model/service-model.ts";

/** A credential that a scheme takes; nothing for certificates. */
export function newCredential(scheme: SchemeModel): object | undefined {
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
