import { createHash } from "node:crypto";
import {
  isInnerList,
  parseDictionary,
  serializeInnerList,
  type Dictionary,
  type InnerList,
} from "structured-headers";
import { omitUndefined } from "../contract/index.ts";
import { componentValue, type SignedMessage } from "./message-component.ts";
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
