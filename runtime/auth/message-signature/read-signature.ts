import { createHash } from "node:crypto";
import { isInnerList, parseDictionary, serializeInnerList } from "structured-headers";
import type { Dictionary, InnerList } from "structured-headers";
import { credentialCharactersMax } from "../credentials.ts";
import type { Evidence } from "../port.ts";
import { componentValue } from "./components.ts";

/** A signature that covers what it has to; not verified yet. */
export interface ReadSignature {
  readonly keyId: string;
  readonly algorithm: string | undefined;
  /** Unix times in seconds, as signed. */
  readonly created: number;
  readonly expires: number | undefined;
  /** The signature base (RFC 9421, section 2.5): the bytes that are signed. */
  readonly base: Buffer;
  readonly signature: Buffer;
}

export interface SignatureRules {
  readonly covers: readonly string[];
  readonly tag: string | undefined;
  /** Scheme and authority under which callers reach the service. */
  readonly origin: string | undefined;
}

/** Signatures of one message that are looked at. */
const labelsMax = 8;

/**
 * Reads the first signature of a message that has `created` and `keyid`, the tag and the coverage that is asked for,
 * and checks `Content-Digest` against the body (RFC 9530). Missing where the message has no signature at all.
 */
export function readSignature(
  evidence: Evidence,
  rules: SignatureRules,
): ReadSignature | "missing" | "malformed" {
  const inputs = dictionaryOf(evidence, "signature-input");
  const signatures = dictionaryOf(evidence, "signature");
  if (inputs === "missing" && signatures === "missing") return "missing";
  if (typeof inputs === "string" || typeof signatures === "string") return "malformed";
  if (rules.covers.includes("content-digest") && !hasBodyDigest(evidence)) return "malformed";
  for (const [label, input] of [...inputs].slice(0, labelsMax)) {
    const value = signatures.get(label);
    if (value === undefined || !isInnerList(input) || isInnerList(value)) continue;
    const [signature] = value;
    const read = signature instanceof ArrayBuffer ? readInput(evidence, input, rules) : undefined;
    if (read !== undefined && signature instanceof ArrayBuffer) {
      return { ...read, signature: Buffer.from(signature) };
    }
  }
  return "malformed";
}

function readInput(
  evidence: Evidence,
  input: InnerList,
  { covers, tag, origin }: SignatureRules,
): Omit<ReadSignature, "signature"> | undefined {
  const [components, parameters] = input;
  const keyId = parameters.get("keyid");
  const created = parameters.get("created");
  const expires = parameters.get("expires");
  const alg = parameters.get("alg");
  if (typeof keyId !== "string" || !Number.isInteger(created) || typeof created !== "number")
    return undefined;
  if (expires !== undefined && typeof expires !== "number") return undefined;
  if (alg !== undefined && typeof alg !== "string") return undefined;
  if (tag !== undefined && parameters.get("tag") !== tag) return undefined;
  const lines = new Map<string, string>();
  for (const [name, componentParameters] of components) {
    if (typeof name !== "string" || componentParameters.size > 0 || lines.has(name)) return undefined;
    const value = componentValue(evidence, name, origin);
    if (value === undefined) return undefined;
    lines.set(name, `"${name}": ${value}\n`);
  }
  if (!covers.every((name) => lines.has(name))) return undefined;
  const base = `${[...lines.values()].join("")}"@signature-params": ${serializeInnerList(input)}`;
  return { keyId, created, expires, algorithm: alg, base: Buffer.from(base) };
}

/** Whether `Content-Digest` has a digest that we know, and every such one is the body's. */
function hasBodyDigest(evidence: Evidence): boolean {
  const digests = dictionaryOf(evidence, "content-digest");
  if (typeof digests === "string") return false;
  const known = [...digests].flatMap(([name, item]) => {
    const hash = digestHashes.get(name);
    return hash === undefined ? [] : [{ hash, value: isInnerList(item) ? undefined : item[0] }];
  });
  const isBodys = ({ hash, value }: (typeof known)[number]): boolean =>
    value instanceof ArrayBuffer &&
    createHash(hash).update(evidence.body).digest().equals(Buffer.from(value));
  return known.length > 0 && known.every(isBodys);
}

const digestHashes: ReadonlyMap<string, string> = new Map([
  ["sha-256", "sha256"],
  ["sha-512", "sha512"],
]);

function dictionaryOf(evidence: Evidence, name: string): Dictionary | "missing" | "malformed" {
  const values = evidence.header(name);
  if (values.length === 0) return "missing";
  const text = values.join(", ");
  if (text.length > credentialCharactersMax) return "malformed";
  try {
    return parseDictionary(text);
  } catch {
    return "malformed";
  }
}
