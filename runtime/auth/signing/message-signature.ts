import { createHash, type KeyObject, randomUUID, sign } from "node:crypto";
import {
  type Dictionary,
  type InnerList,
  isInnerList,
  parseDictionary,
  serializeInnerList,
} from "structured-headers";
import { omitUndefined } from "../../contract/index.ts";
import { derFromP1363 } from "./signature-encoding.ts";

/** A message signature (RFC 9421) that has every part the service asks for; not verified yet. */
export interface MessageSignature {
  readonly keyId: string;
  /** Unix times in seconds, as signed. */
  readonly created: number;
  readonly expires: number;
  readonly nonce: string;
  /** `Idempotency-Key`, where the signature covers it. */
  readonly idempotencyKey?: string;
  /** The signature base (RFC 9421 §2.5): the bytes that are signed. */
  readonly base: Buffer;
  /** DER. */
  readonly signature: Buffer;
}

/** Components that must be covered (D-24): the JSON-RPC method and id lie in the body that `content-digest` covers. */
const coveredAlways = ["@method", "content-digest"] as const;
const coveredTarget = ["@path", "@target-uri", "@request-target"] as const;
const algorithm = "ecdsa-p256-sha256";
/** `Signature-Input`, `Signature` and `Content-Digest` are read up to this length: room for some ten signatures. */
const headerCharactersMax = 4096;

/**
 * Reads the first signature of a message made with `ecdsa-p256-sha256` that has `created`, `expires`, `nonce` and
 * `keyid` and covers `@method`, the path and `content-digest`, and checks the digest against the body (RFC 9530).
 * Gives nothing if there is none, or if a header is longer than 4,096 characters. With `keyId`: the first one by that
 * key.
 */
export function readMessageSignature(message: SignedMessage, keyId?: string): MessageSignature | undefined {
  const inputs = dictionary(message.header("signature-input"));
  const signatures = dictionary(message.header("signature"));
  if (inputs === undefined || signatures === undefined || !hasBodyDigest(message)) return undefined;
  for (const [label, input] of inputs) {
    const value = signatures.get(label);
    if (value === undefined || !isInnerList(input) || isInnerList(value)) continue;
    const signature = value[0];
    if (!(signature instanceof ArrayBuffer) || signature.byteLength !== 64) continue;
    const read = readInput(message, input);
    if (read === undefined || (keyId !== undefined && read.keyId !== keyId)) continue;
    return { ...read, signature: derFromP1363(Buffer.from(signature)) };
  }
  return undefined;
}

function readInput(
  message: SignedMessage,
  input: InnerList,
): Omit<MessageSignature, "signature"> | undefined {
  const [components, parameters] = input;
  const keyId = parameters.get("keyid");
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  const nonce = parameters.get("nonce");
  const alg = parameters.get("alg");
  if (typeof keyId !== "string" || typeof nonce !== "string" || nonce === "" || nonce.length > 128)
    return undefined;
  if (typeof created !== "number" || typeof expires !== "number") return undefined;
  if (alg !== undefined && alg !== algorithm) return undefined;
  const lines = new Map<string, string>();
  for (const [name, componentParameters] of components) {
    if (typeof name !== "string" || componentParameters.size > 0 || lines.has(name)) return undefined;
    const value = componentValue(message, name);
    if (value === undefined) return undefined;
    lines.set(name, `"${name}": ${value}\n`);
  }
  const coversAll =
    coveredAlways.every((name) => lines.has(name)) && coveredTarget.some((name) => lines.has(name));
  if (!coversAll) return undefined;
  const text = `${[...lines.values()].join("")}"@signature-params": ${serializeInnerList(input)}`;
  const idempotencyKey = lines.has("idempotency-key") ? message.header("idempotency-key") : undefined;
  return {
    keyId,
    created,
    expires,
    nonce,
    ...omitUndefined({ idempotencyKey }),
    base: Buffer.from(text),
  };
}

/** Whether `Content-Digest` has a digest of ours, and every one of them is the body's. */
function hasBodyDigest({ header, body }: SignedMessage): boolean {
  const digests = dictionary(header("content-digest"));
  if (digests === undefined) return false;
  let checked = 0;
  for (const [name, algorithmName] of digestAlgorithms) {
    const item = digests.get(name);
    if (item === undefined) continue;
    const digest = isInnerList(item) ? undefined : item[0];
    if (!(digest instanceof ArrayBuffer)) return false;
    if (!createHash(algorithmName).update(body).digest().equals(Buffer.from(digest))) return false;
    checked += 1;
  }
  return checked > 0;
}

const digestAlgorithms = [
  ["sha-256", "sha256"],
  ["sha-512", "sha512"],
] as const;

function dictionary(text: string | undefined): Dictionary | undefined {
  if (text === undefined || text.length > headerCharactersMax) return undefined;
  try {
    return parseDictionary(text);
  } catch {
    return undefined;
  }
}

/** The `Signature` header of section 5.4: `keyId=<key_id>,algorithm=ecdsa-sha256,signature=<base64_signature>`. */
export interface SignatureHeader {
  readonly keyId?: string;
  /** Absent too where the algorithm is another one: then there is no signature that counts. */
  readonly signature?: string;
}

/** Longer headers are not read: a signature takes 96 characters at most, which leaves 880 for the key's id. */
const signatureHeaderCharactersMax = 1024;

const names: ReadonlySet<string> = new Set(["keyId", "algorithm", "signature"]);

/**
 * Reads the header in one pass: it is read before the caller is authenticated. Members may be quoted and in any order.
 * Gives nothing if one is there twice, or is unknown, or the header is longer than `signatureHeaderCharactersMax`.
 */
export function parseSignatureHeader(text: string): SignatureHeader | undefined {
  if (text.length > signatureHeaderCharactersMax) return undefined;
  const found = new Map<string, string>();
  for (const part of text.split(",")) {
    const equalsAt = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equalsAt)).trim();
    const value = unquoted(part.slice(equalsAt + 1).trim());
    if (!names.has(name) || found.has(name) || value === "" || value.includes('"')) return undefined;
    found.set(name, value);
  }
  const keyId = found.get("keyId");
  const signature = found.get("algorithm") === "ecdsa-sha256" ? found.get("signature") : undefined;
  return omitUndefined({ keyId, signature });
}

/** Without its quotes, if it has both. */
function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

/** Components of a request that a message signature may cover. */
export interface SignedMessage {
  readonly body: Buffer;
  /** `POST`. */
  readonly httpMethod: string;
  /** Path and query as received. */
  readonly target: string;
  /** Scheme and authority under which the caller reached the service: `https://ledger.example`. */
  readonly origin: string;
  /** A header by its lower-case name, a repeated header's values joined by `, `. */
  header(name: string): string | undefined;
}

/** The value of a component (RFC 9421 §2.1, §2.2), without parameters; nothing if the message lacks it. */
export function componentValue(message: SignedMessage, name: string): string | undefined {
  if (!name.startsWith("@")) return name === name.toLowerCase() ? message.header(name)?.trim() : undefined;
  const { httpMethod, target, origin } = message;
  const queryAt = target.indexOf("?");
  switch (name) {
    case "@method":
      return httpMethod;
    case "@request-target":
      return target;
    case "@target-uri":
      return `${origin}${target}`;
    case "@scheme":
      return origin.slice(0, origin.indexOf(":"));
    case "@authority":
      return origin.slice(origin.indexOf("//") + 2).toLowerCase();
    case "@path":
      return queryAt < 0 ? target : target.slice(0, queryAt);
    case "@query":
      return queryAt < 0 ? "?" : target.slice(queryAt);
    default:
      return undefined;
  }
}

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
