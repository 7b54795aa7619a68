import { createHash, randomUUID, sign, type KeyObject } from "node:crypto";

export interface MessageToSign {
  readonly body: Buffer;
  readonly httpMethod: string;
  /** Path without query. */
  readonly path: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

const validSeconds = 60;

/**
 * The headers of a message signature that a service under `auth.replay: strict` takes (D-24): `content-digest`
 * (RFC 9530), `signature-input` and `signature` (RFC 9421), by lower-case name, valid for a minute and for one use.
 */
export function signMessage(message: MessageToSign): ReadonlyMap<string, string> {
  const { body, httpMethod, path, keyId, privateKey } = message;
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const created = Math.floor(Date.now() / 1000);
  const input =
    `("@method" "@path" "content-digest");created=${created};expires=${created + validSeconds}` +
    `;nonce="${randomUUID()}";keyid="${keyId}";alg="ecdsa-p256-sha256"`;
  const base = [
    `"@method": ${httpMethod}`,
    `"@path": ${path}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${input}`,
  ].join("\n");
  const signature = sign("sha256", Buffer.from(base), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return new Map([
    ["content-digest", digest],
    ["signature-input", `sig1=${input}`],
    ["signature", `sig1=:${signature.toString("base64")}:`],
  ]);
}
