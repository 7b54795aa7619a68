import { constants, createHash, createHmac, sign, type KeyObject } from "node:crypto";
import { issuerKeys } from "./issuer-keys.ts";
import { privateKeyFor } from "../sign.ts";
import {
  alteredText,
  optionNumber,
  optionText,
  optionTexts,
  needed,
  newSigningKey,
  type CredentialHeaders,
  type CredentialTask,
  type SchemeKind,
  whereCovered,
} from "./scheme.ts";

const coversDefault = ["@method", "@path", "content-digest"];
const windowDefaultSeconds = 300;

/** A signature of the HTTP message (RFC 9421), with `Content-Digest` (RFC 9530). */
export const messageSignature: SchemeKind = {
  kind: "message-signature",
  required: ["algorithms"],
  optional: ["covers", "window", "tag"],
  hasScopes: false,
  algorithms: [
    ["hmac-sha256"],
    ["ecdsa-p256-sha256", "ecdsa-p384-sha384", "ed25519", "rsa-pss-sha512", "rsa-v1_5-sha256"],
  ],
  covers: {
    known: ["@method", "@path", "@query", "@target-uri", "@authority", "content-digest", "content-type"],
    required: coversDefault,
  },
  header: () => "signature",
  access: {
    needed: ["keyId"],
    more: ["privateKeyPem", "secret", "algorithm", "origin"],
    example: '{ "keyId": "…", "privateKeyFile": "key.pem" }',
    made: newSigningKey,
  },
  changes: (options) => [
    ...(["malformed", "wrong", "stranger", "unknown-key", "expired", "early", "replayed"] as const),
    ...(["uncovered", "timestamp-changed", "nonce-changed"] as const),
    ...whereCovered(options, {
      "body-changed": ["content-digest"],
      "path-changed": ["@path", "@request-target", "@target-uri"],
      "method-changed": ["@method"],
    }),
  ],
  credential,
  client: {
    type: "MessageSignatureCredential",
    module: "message-signature",
    files: ["json-rpc/message-signature.ts", "signed-message.ts"],
    value: "messageSignature",
    arguments: ({ options: { covers = coversDefault, tag } }) => [
      Array.isArray(covers) ? covers.map(String) : [],
      ...(tag === undefined ? [] : [String(tag)]),
    ],
    example: '{ keyId: "your-key-id", privateKey: "your PKCS#8 PEM" }',
    fake: '{ keyId: "fake", sign: async () => new Uint8Array(64) }',
  },
  page: {
    lines: () => [
      "Content-Digest: sha-256=:<base64>:",
      "Signature-Input: sig1=(<components>);created=<unix seconds>;keyid=<key id>",
      "Signature: sig1=:<base64>:",
    ],
    how: () => "The signature is an HTTP message signature (RFC 9421). It is accepted once.",
  },
  openApi: () => ({ type: "apiKey", in: "header", name: "Signature" }),
  moreHeaders: [
    { name: "Signature-Input", description: "What the signature covers (RFC 9421)." },
    { name: "Content-Digest", description: "The digest of the body (RFC 9530)." },
  ],
};

/** An HTTP message signature (RFC 9421) under the label `conformance`, with `Content-Digest` (RFC 9530). */
function credential(task: CredentialTask): CredentialHeaders {
  const { scheme, plan, credential: given, request, nowSeconds, nonce } = task;
  const digest = digestOf(plan.change === "body-changed" ? Buffer.from("{}") : request.body);
  if (plan.change === "malformed")
    return { "signature-input": "conformance=", signature: "conformance=", "content-digest": digest };
  const asked = optionTexts(scheme, "covers");
  const covers = asked.length === 0 ? coversDefault : asked;
  const covered = plan.change === "uncovered" ? covers.slice(1) : covers;
  const window = optionNumber(scheme, "window") ?? windowDefaultSeconds;
  const distance = window + 60;
  const late = plan.change === "expired" ? distance : plan.change === "early" ? -distance : 0;
  const name = `credentials.${scheme.name}`;
  const keyId = needed(given.keyId, `${name}.keyId`);
  const tag = optionText(scheme, "tag");
  const parameters = (created: number, used: string): string =>
    `(${covered.map((each) => JSON.stringify(each)).join(" ")});created=${created};keyid="${plan.change === "unknown-key" ? `${keyId}-x` : keyId}";nonce="${used}"${tag === undefined ? "" : `;tag="${tag}"`}`;
  const created = nowSeconds - late;
  const values = covered.map((each) => `"${each}": ${componentOf(each, digestOf(request.body), task)}`);
  const base = [...values, `"@signature-params": ${parameters(created, nonce)}`].join("\n");
  const seal = sealed(Buffer.from(base), task);
  if (plan.change === "wrong") seal[0] = (seal[0] ?? 0) ^ 1;
  const sent = parameters(
    plan.change === "timestamp-changed" ? created + 1 : created,
    plan.change === "nonce-changed" ? `${nonce}x` : nonce,
  );
  return {
    "content-digest": digest,
    "signature-input": `conformance=${sent}`,
    signature: `conformance=:${seal.toString("base64")}:`,
  };
}

/** `Content-Digest` of a body (RFC 9530). */
export function digestOf(body: Buffer): string {
  return `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
}

function componentOf(
  name: string,
  digest: string,
  { request, scheme, plan, credential }: CredentialTask,
): string {
  const queryAt = request.target.indexOf("?");
  const path = queryAt < 0 ? request.target : request.target.slice(0, queryAt);
  switch (name) {
    case "@method":
      return plan.change === "method-changed" ? "PUT" : request.httpMethod;
    case "@path":
      return plan.change === "path-changed" ? `${path}x` : path;
    case "@request-target":
      return plan.change === "path-changed" ? `${request.target}x` : request.target;
    case "@query":
      return queryAt < 0 ? "?" : request.target.slice(queryAt);
    case "@target-uri":
      return `${needed(credential.origin, `credentials.${scheme.name}.origin`)}${request.target}`;
    case "@authority":
      return new URL(needed(credential.origin, `credentials.${scheme.name}.origin`)).host;
    case "@scheme":
      return new URL(needed(credential.origin, `credentials.${scheme.name}.origin`)).protocol.slice(0, -1);
    case "content-digest":
      return digest;
    case "content-type":
      return "application/json";
    default:
      return "";
  }
}

function sealed(base: Buffer, { scheme, plan, credential }: CredentialTask): Buffer {
  const algorithm = credential.algorithm ?? optionTexts(scheme, "algorithms")[0] ?? "ecdsa-p256-sha256";
  const name = `credentials.${scheme.name}`;
  if (algorithm === "hmac-sha256") {
    const secret = needed(credential.secret, `${name}.secret`);
    return createHmac("sha256", plan.change === "stranger" ? alteredText(secret) : secret)
      .update(base)
      .digest();
  }
  const own = privateKeyFor(needed(credential.privateKeyPem, `${name}.privateKeyPem`));
  return signature(algorithm, plan.change === "stranger" ? stranger(algorithm) : own, base);
}

/** An unregistered key of the same kind. */
function stranger(algorithm: string): KeyObject {
  const name = strangers.get(algorithm) ?? "RS256";
  return issuerKeys(name, "stranger").privateKey;
}

const strangers: ReadonlyMap<string, string> = new Map([
  ["ecdsa-p256-sha256", "ES256"],
  ["ecdsa-p384-sha384", "ES384"],
  ["ed25519", "EdDSA"],
]);

function signature(algorithm: string, key: KeyObject, base: Buffer): Buffer {
  switch (algorithm) {
    case "ed25519":
      return sign(null, base, key);
    case "rsa-pss-sha512":
      return sign("sha512", base, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 });
    case "rsa-v1_5-sha256":
      return sign("sha256", base, key);
    case "ecdsa-p384-sha384":
      return sign("sha384", base, { key, dsaEncoding: "ieee-p1363" });
    default:
      return sign("sha256", base, { key, dsaEncoding: "ieee-p1363" });
  }
}
