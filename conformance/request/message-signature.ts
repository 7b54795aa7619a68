import { randomUUID, sign } from "node:crypto";
import { digestOf } from "./schemes/message-signature.ts";
import { privateKeyFor } from "./sign.ts";

/** By whom the message of a signed envelope is signed, where the service requires that. */
export interface MessageSigner {
  readonly keyId: string;
  readonly privateKeyPem: string;
  /** Whether to sign something else than the message. */
  readonly isWrong?: boolean;
}

/** A message as far as its signature covers it. */
export interface MessageToSign {
  readonly httpMethod: string;
  /** Path and query of the address. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const validSeconds = 60;

/**
 * The headers of a request with an HTTP message signature (RFC 9421) for one use within a minute. It takes the place of the
 * `Signature` of a flat body, which becomes the `Idempotency-Key`: its repetitions have the same one.
 */
export function signedMessageHeaders(
  { httpMethod, target, headers: { signature, ...headers }, body }: MessageToSign,
  { keyId, privateKeyPem, isWrong = false }: MessageSigner,
): Readonly<Record<string, string>> {
  const known = signature === undefined ? {} : { "idempotency-key": JSON.stringify(signature) };
  const covered = {
    "@method": httpMethod,
    "@path": target.replace(/\?.*$/s, ""),
    "content-digest": digestOf(body),
    ...known,
  };
  const created = Math.floor(Date.now() / 1000);
  const names = Object.keys(covered).map((name) => JSON.stringify(name));
  const input = `(${names.join(" ")});created=${created};expires=${created + validSeconds};keyid=${JSON.stringify(keyId)};nonce="${randomUUID()}"`;
  const lines = Object.entries({ ...covered, "@signature-params": input }).map(
    ([name, value]) => `"${name}": ${value}`,
  );
  const base = Buffer.from(isWrong ? "another message" : lines.join("\n"));
  const key = privateKeyFor(privateKeyPem);
  const made = sign("sha256", base, { key, dsaEncoding: "ieee-p1363" });
  return {
    ...headers,
    ...known,
    "content-digest": covered["content-digest"],
    "signature-input": `conformance=${input}`,
    signature: `conformance=:${made.toString("base64")}:`,
  };
}
