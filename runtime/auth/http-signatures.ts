import { createHash, randomUUID, sign, type KeyObject } from "node:crypto";
import {
  type Dictionary,
  type InnerList,
  isInnerList,
  parseDictionary,
  serializeInnerList,
} from "structured-headers";
import { omitUndefined } from "../contract/index.ts";
import { takeOnce, type NotTaken, type ReplayRegister } from "./replays.ts";
import {
  faultOfSignature,
  hasLength,
  type SignatureAlgorithm,
  type SignerKey,
  type VerifyP256,
} from "./signature-algorithms.ts";

/** A request, as far as a signature can cover it. */
export interface SignedMessage {
  readonly body: Uint8Array;
  readonly httpMethod: string;
  /** Path and query as they arrived. */
  readonly target: string;
  /** Every value of a header, by its lower-case name. */
  header(name: string): readonly string[];
}

/** What a service asks of a message signature (RFC 9421, section 3.2.1). */
export interface MessageRules {
  /** Components that a signature covers. A list stands for any one of its names. */
  readonly covers: readonly (string | readonly string[])[];
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Parameters that a signature has beside `created` and `keyid`. */
  readonly parameters?: readonly ("expires" | "nonce")[];
  readonly tag?: string;
  /** Scheme and authority under which a caller reached the service. Absent: unknown, but for the `Host` header. */
  origin?(message: SignedMessage): string | undefined;
  /** How far `created` may lie after now. */
  readonly aheadSeconds: number;
  /** How far `created` may lie before now. */
  readonly ageSeconds: number;
  /** The longest time from `created` to `expires`. Absent: any. */
  readonly validSecondsMax?: number;
}

/** A message signature that has what the rules ask for; not verified yet. */
export interface MessageSignature {
  readonly keyId: string;
  /** The algorithm that the message names, if any. */
  readonly algorithm?: string;
  /** Unix times in seconds, as signed. */
  readonly created: number;
  readonly expires?: number;
  readonly nonce?: string;
  /** Names of the covered components. */
  readonly covered: ReadonlySet<string>;
  /** The signature base (RFC 9421, section 2.5): the bytes that are signed. */
  readonly base: Buffer;
  readonly signature: Buffer;
}

/** `Signature-Input`, `Signature` and `Content-Digest` are read up to this length: room for some ten signatures. */
const headerCharactersMax = 4096;
const nonceCharactersMax = 128;

/**
 * Reads the first signature of a message that the rules allow, and checks `Content-Digest` against the body (RFC 9530)
 * where it is covered. With `keyId`: the first one by that key. `missing` where the message has no signature at all.
 */
export function readMessageSignature(
  message: SignedMessage,
  rules: MessageRules,
  keyId?: string,
): MessageSignature | "missing" | "malformed" {
  const inputs = dictionaryOf(message, "signature-input");
  const signatures = dictionaryOf(message, "signature");
  if (inputs === "missing" && signatures === "missing") return "missing";
  if (typeof inputs === "string" || typeof signatures === "string") return "malformed";
  for (const [label, input] of inputs) {
    const item = signatures.get(label);
    const bytes = item === undefined || isInnerList(item) ? undefined : item[0];
    if (!(bytes instanceof ArrayBuffer) || !isInnerList(input)) continue;
    const read = readInput(message, input, rules);
    if (read === undefined || (keyId !== undefined && read.keyId !== keyId)) continue;
    if (!rules.algorithms.some((name) => hasLength(name, bytes.byteLength))) continue;
    if (read.covered.has("content-digest") && !hasBodyDigest(message)) return "malformed";
    return { ...read, signature: Buffer.from(bytes) };
  }
  return "malformed";
}

function readInput(
  message: SignedMessage,
  input: InnerList,
  rules: MessageRules,
): Omit<MessageSignature, "signature"> | undefined {
  const parameters = parametersOf(input, rules);
  if (parameters === undefined) return undefined;
  const lines = new Map<string, string>();
  for (const [name, componentParameters] of input[0]) {
    if (typeof name !== "string" || componentParameters.size > 0 || lines.has(name)) return undefined;
    const value = componentValue(message, name, rules.origin?.(message));
    if (value === undefined) return undefined;
    lines.set(name, value);
  }
  const coversAll = rules.covers.every((names) =>
    typeof names === "string" ? lines.has(names) : names.some((name) => lines.has(name)),
  );
  if (!coversAll) return undefined;
  const base = signatureBase(lines, serializeInnerList(input));
  return { ...parameters, covered: new Set(lines.keys()), base };
}

/** The parameters of a signature (RFC 9421, section 2.3); nothing where one is missing or of another type. */
function parametersOf([, given]: InnerList, { parameters = [], tag, algorithms }: MessageRules) {
  const keyId = given.get("keyid");
  const created = given.get("created");
  const expires = given.get("expires");
  const nonce = given.get("nonce");
  const algorithm = given.get("alg");
  if (typeof keyId !== "string" || typeof created !== "number" || !Number.isInteger(created))
    return undefined;
  if (expires !== undefined && (typeof expires !== "number" || !Number.isInteger(expires))) return undefined;
  if (nonce !== undefined && (typeof nonce !== "string" || !isNonce(nonce))) return undefined;
  if (algorithm !== undefined && !algorithms.some((name) => name === algorithm)) return undefined;
  if (tag !== undefined && given.get("tag") !== tag) return undefined;
  if (parameters.some((name) => given.get(name) === undefined)) return undefined;
  return {
    keyId,
    created,
    ...omitUndefined({ expires, nonce, algorithm: typeof algorithm === "string" ? algorithm : undefined }),
  };
}

function isNonce({ length }: string): boolean {
  return length > 0 && length <= nonceCharactersMax;
}

/** The bytes that are signed (RFC 9421, section 2.5): a line for each component, and one of the parameters. */
function signatureBase(components: ReadonlyMap<string, string>, parameters: string): Buffer {
  const lines = [...components].map(([name, value]) => `"${name}": ${value}\n`);
  return Buffer.from(`${lines.join("")}"@signature-params": ${parameters}`);
}

/** The value of a component without parameters (RFC 9421, sections 2.1 and 2.2); nothing if the message lacks it. */
export function componentValue(message: SignedMessage, name: string, origin?: string): string | undefined {
  const { httpMethod, target } = message;
  if (!name.startsWith("@")) {
    const values = name === name.toLowerCase() ? message.header(name) : [];
    return values.length === 0 ? undefined : values.map((value) => value.trim()).join(", ");
  }
  if (name === "@method") return httpMethod;
  if (name === "@request-target") return target;
  // A target in another form than path and query has parts that nothing here takes apart.
  if (!target.startsWith("/")) return undefined;
  const queryAt = target.indexOf("?");
  switch (name) {
    case "@path":
      return queryAt < 0 ? target : target.slice(0, queryAt);
    case "@query":
      return queryAt < 0 ? "?" : target.slice(queryAt);
    case "@target-uri":
      return origin === undefined ? undefined : `${origin}${target}`;
    case "@scheme":
      return origin?.slice(0, origin.indexOf(":")).toLowerCase();
    case "@authority":
      return authorityOf(message, origin);
    default:
      return undefined;
  }
}

/** In lower case and without the port that its scheme has anyway (RFC 9421, section 2.2.3). */
function authorityOf({ header }: SignedMessage, origin: string | undefined): string | undefined {
  if (origin !== undefined) return URL.parse(origin)?.host;
  const [host, ...others] = header("host");
  return others.length === 0 ? host?.toLowerCase() : undefined;
}

/** Whether `Content-Digest` has a digest that we know, and every such one is the body's (RFC 9530). */
function hasBodyDigest(message: SignedMessage): boolean {
  const digests = dictionaryOf(message, "content-digest");
  if (typeof digests === "string") return false;
  let checked = 0;
  for (const [name, hash] of digestHashes) {
    const item = digests.get(name);
    if (item === undefined) continue;
    const digest = isInnerList(item) ? undefined : item[0];
    if (!(digest instanceof ArrayBuffer)) return false;
    if (!createHash(hash).update(message.body).digest().equals(Buffer.from(digest))) return false;
    checked += 1;
  }
  return checked > 0;
}

const digestHashes = [
  ["sha-256", "sha256"],
  ["sha-512", "sha512"],
] as const;

function dictionaryOf({ header }: SignedMessage, name: string): Dictionary | "missing" | "malformed" {
  const values = header(name);
  if (values.length === 0) return "missing";
  const text = values.join(", ");
  if (text.length > headerCharactersMax) return "malformed";
  try {
    return parseDictionary(text);
  } catch {
    return "malformed";
  }
}

/** The parts that a check of signatures shares. */
export interface MessageCheck {
  readonly rules: MessageRules;
  readonly clock: { now(): number };
  readonly replays: ReplayRegister;
  /** Default: one by one, on threads. */
  readonly verifyP256?: VerifyP256;
}

export type MessageFault =
  | { readonly kind: "expired" }
  | { readonly kind: "rejected"; readonly reason: string }
  | NotTaken;

/**
 * Verifies a signature by its key and takes its nonce, or where it has none its signed bytes: a signature is accepted once.
 * The signature itself would not do, because an ECDSA signature has a twin that is valid too. Gives nothing if it is good.
 */
export async function checkMessageSignature(
  signed: MessageSignature,
  { owner, ...signer }: SignerKey & { readonly owner: string },
  { rules, clock, replays, verifyP256 }: MessageCheck,
): Promise<MessageFault | undefined> {
  if (!isTimely(signed, rules, clock.now())) return { kind: "expired" };
  const reason = await faultOfSignature(signed, signer, rules.algorithms, verifyP256);
  if (reason !== undefined) return { kind: "rejected", reason };
  const { base, created, expires = Infinity } = signed;
  const nonce = signed.nonce ?? createHash("sha256").update(base).digest("hex");
  const acceptedUntil = Math.min(expires, created + rules.ageSeconds);
  return takeOnce(replays, { owner, nonce, expiresAtMs: (acceptedUntil + 1) * 1000 });
}

/** Whether a signature's times hold: `created` by the service's clock, `expires` where it is given. */
function isTimely(
  { created, expires }: MessageSignature,
  { aheadSeconds, ageSeconds, validSecondsMax = Infinity }: MessageRules,
  nowMs: number,
): boolean {
  const nowSeconds = nowMs / 1000;
  if (created > nowSeconds + aheadSeconds || created < nowSeconds - ageSeconds) return false;
  if (expires === undefined) return true;
  return expires > nowSeconds && expires >= created && expires - created <= validSecondsMax;
}

export interface MessageToSign {
  readonly body: Buffer;
  readonly httpMethod: string;
  /** Path without query. */
  readonly path: string;
  readonly keyId: string;
  /** P-256. */
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
  const components = new Map([
    ["@method", httpMethod],
    ["@path", path],
    ["content-digest", digest],
  ]);
  const names = [...components.keys()].map((name) => `"${name}"`).join(" ");
  const input =
    `(${names});created=${created};expires=${created + validSeconds}` +
    `;nonce="${randomUUID()}";keyid="${keyId}";alg="ecdsa-p256-sha256"`;
  const base = signatureBase(components, input);
  const signature = sign("sha256", base, { key: privateKey, dsaEncoding: "ieee-p1363" });
  return new Map([
    ["content-digest", digest],
    ["signature-input", `sig1=${input}`],
    ["signature", `sig1=:${signature.toString("base64")}:`],
  ]);
}
