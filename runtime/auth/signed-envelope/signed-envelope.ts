import type { KeyObject } from "node:crypto";
import { type JsonValue, type MethodDescriptor, omitUndefined } from "../../contract/index.ts";
import type { AuthOptions, AuthRules, AuthServices, Caller } from "../auth-services.ts";
import type { Envelope } from "../../protocol/signed-envelope/envelope.ts";
import { decodeSignature, derFromP1363, isSigned, lowSignature, readPublicKey } from "../signing/index.ts";
import {
  callerOf,
  type Holder,
  holderOf,
  invitedHolder,
  parseCredential,
  parseSignatureHeader,
} from "./credential.ts";
import {
  checkMessageSignature,
  readMessageSignature,
  type MessageCheck,
  type MessageRules,
  type MessageSignature,
} from "../http-signatures.ts";
import type {
  AuthObserver,
  Evidence,
  Identified,
  Refusal,
  SchemeBinding,
  SchemeVerifier,
  SignedCall,
  Verdict,
} from "../port.ts";

/**
 * The documented scheme (section 5): credential, key and ECDSA signature in `params.api`, or in the headers of a flat
 * body (D-22). Under `auth.replay:·strict` an RFC 9421 message signature is required as well (D-24). It replaces the
 * signature of a flat body. Repetitions of that body are known by the `Idempotency-Key` that it covers, if any. A
 * method that asks for no key takes the credential alone; a key or signature that is sent all the same is verified.
 */
export function signedEnvelope(options: AuthOptions = {}): SchemeVerifier<"signedEnvelope", Caller> {
  return {
    kind: "signedEnvelope",
    bind(_declared, { realm, clock, replays, services }) {
      if (services === undefined) {
        throw new Error(
          `the ${realm} interface has signed envelopes: its service needs a store of users and keys`,
        );
      }
      const parts: Parts = {
        ...services,
        ...options,
        realm,
        clock,
        strict:
          services.rules.isStrict === true
            ? { rules: rulesFor(services.rules), clock, replays, verifyP256: services.verifier.verify }
            : undefined,
      };
      return {
        verifies: "call",
        verify(evidence, observer) {
          const { signed } = evidence.call ?? {};
          if (signed === undefined) throw new Error("a signed envelope is verified call by call");
          return verifyCall(
            { ...signed, evidence, claims: claimsOf(signed.envelope, evidence) },
            parts,
            observer,
          );
        },
      };
    },
  };
}

/** What the steps work with. */
interface Parts extends AuthServices, AuthOptions, Pick<SchemeBinding, "realm" | "clock"> {
  /** Under `auth.replay: strict`. */
  readonly strict: MessageCheck | undefined;
}

/** A call under way, and who it says it is from, in one form for enveloped and flat bodies. Nothing here is believed yet. */
interface ClaimedCall extends SignedCall {
  readonly evidence: Evidence;
  readonly claims: Claims;
}

type Claims = Readonly<Partial<Record<string, JsonValue>>>;

async function verifyCall(
  call: ClaimedCall,
  parts: Parts,
  observer?: AuthObserver,
): Promise<Verdict<Caller>> {
  const { envelope, claims } = call;
  const { openFlatBodies } = parts.rules;
  if (envelope.kind === "flat" && openFlatBodies !== undefined && claims["credential"] === undefined) {
    return { kind: "identity", identity: { caller: openFlatBodies, scopes: ["*"] }, isUnproven: true };
  }
  const holder = await heldCredential(call, parts);
  if ("kind" in holder) return holder;
  const halted = await observer?.identified(holder.user.userName);
  if (halted !== undefined) return halted;
  if (mustProveKey(call)) return verifyKey(call, holder, parts, observer);
  if (headersContradict(call)) return refused("credential", call, { word: "headers-differ" });
  if (holder.apiKeyId !== undefined) parts.callers.used(holder.user.userName, [holder.apiKeyId]);
  return identityOf(holder);
}

/** The steps after the credential: key, signature of the payload, and signature of the message. */
async function verifyKey(
  call: ClaimedCall,
  holder: Holder,
  parts: Parts,
  observer?: AuthObserver,
): Promise<Verdict<Caller>> {
  const { strict } = parts;
  const { user, apiKeyId } = holder;
  const isFlat = call.envelope.kind === "flat";
  const message = strict && signedMessage(call, strict);
  const own =
    isFlat && message !== undefined ? { ...call, claims: { ...call.claims, keyId: message.keyId } } : call;
  const key = await signingKey(own, holder, parts);
  if ("kind" in key) return key;
  const { publicKey, registeredId } = key;
  if (registeredId !== undefined) observer?.keyFound(registeredId);
  const signature = isFlat && strict ? undefined : await payloadSignature(own, publicKey, parts);
  if (signature !== undefined && "kind" in signature) return signature;
  if (strict !== undefined) {
    const owner = registeredId === undefined ? `user ${user.userName}` : `key ${registeredId}`;
    const fault = await messageFault(own, message, { key: publicKey, owner }, strict);
    if (fault !== undefined) return fault;
  }
  const used = [apiKeyId, registeredId].filter((id) => id !== undefined);
  if (used.length > 0) parts.callers.used(user.userName, used);
  // The scopes are for what the user does once the invitation is accepted.
  const scopes = apiKeyId === undefined ? [call.currentMethod] : user.scopes;
  const identified = identityOf({ user }, registeredId, scopes);
  return isFlat ? { ...identified, requestIdentity: identityOfFlat(own, signature, message) } : identified;
}

function identityOf(
  { user }: Pick<Holder, "user">,
  keyId?: string,
  scopes: readonly string[] = user.scopes,
): Identified<Caller> {
  return { kind: "identity", identity: { caller: callerOf(user, keyId), scopes } };
}

/** What tells a flat body from others of the same content: `Idempotency-Key` where its signature covers it, or the signature. */
function identityOfFlat(
  { evidence }: ClaimedCall,
  signature: Buffer | undefined,
  message: MessageSignature | undefined,
): string {
  if (message?.covered.has("idempotency-key") === true) return evidence.header("idempotency-key").join(", ");
  return lowSignature(signature ?? (message && derFromP1363(message.signature)) ?? Buffer.alloc(8));
}

type Part = "credential" | "key" | "signature";

/** The refusal of a part of a call; its log line says who the call claims to be from. */
function refused(
  part: Part,
  { claims }: ClaimedCall,
  { word, userName }: { readonly word?: string; readonly userName?: string } = {},
): Refusal {
  const keyId = textOf(claims["keyId"]);
  const detail = { part, claimed: omitUndefined({ userName, keyId }), ...omitUndefined({ word }) };
  return { kind: "rejected", detail };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The members of `params.api`, or of a flat body the headers that stand for them (D-22). */
function claimsOf(envelope: Envelope, evidence: Evidence): Claims {
  if (envelope.kind === "enveloped") return envelope.api;
  const credential = basicCredential(evidence);
  const header = headerOf(evidence, "signature");
  const signed = header === undefined ? undefined : parseSignatureHeader(header);
  return omitUndefined({ credential, ...signed });
}

function headerOf({ header }: Evidence, name: string): string | undefined {
  const values = header(name);
  return values.length === 0 ? undefined : values.join(", ");
}

/** Whether a method asks for `apiKey` beside the credential (4.1–4.4, 4.6). */
function requiresApiKey({ transport }: MethodDescriptor): boolean {
  return transport.kind === "enveloped" && transport.auth.includes("apiKey");
}

/** Whether a call has to prove its key: where the method asks for that, or the caller sends a part of it. */
function mustProveKey({ method: { transport }, claims }: ClaimedCall): boolean {
  return (
    transport.kind !== "enveloped" ||
    ["keyId", "signature"].some((member) => transport.auth.includes(member) || claims[member] !== undefined)
  );
}

/**
 * Whether the headers of an enveloped call contradict its `params.api` (D-23). Authorization schemes other than
 * Basic concern a gateway; a `Signature` that goes with a `Signature-Input` is one of RFC 9421.
 */
function headersContradict({ claims, evidence }: ClaimedCall): boolean {
  const credential = basicCredential(evidence);
  if (credential !== undefined && credential !== claims["credential"]) return true;
  const header = headerOf(evidence, "signature");
  if (header === undefined || evidence.header("signature-input").length > 0) return false;
  const signed = parseSignatureHeader(header);
  return (
    signed?.keyId === undefined ||
    signed.keyId !== claims["keyId"] ||
    signed.signature !== claims["signature"]
  );
}

const basicScheme = /^basic +/i;

function basicCredential(evidence: Evidence): string | undefined {
  const header = headerOf(evidence, "authorization");
  return header !== undefined && basicScheme.test(header) ? header.replace(basicScheme, "Basic ") : undefined;
}

/** The credential step (D-18). */
async function heldCredential(call: ClaimedCall, parts: Parts): Promise<Holder | Refusal> {
  const { method, claims } = call;
  const text = requiredMember(claims, "credential");
  if (typeof text !== "string") return text;
  const credential = parseCredential(text);
  if (credential === undefined) return faultyMember("credential", "malformed");
  const { userName } = credential;
  const holder =
    (await holderOf(credential, parts)) ??
    (takesInvitation(call, parts) ? await invitedHolder(credential, parts) : undefined);
  if (holder === undefined) return refused("credential", call, { userName });
  if (claims["apiKey"] === undefined && !requiresApiKey(method)) return holder;
  const apiKey = requiredMember(claims, "apiKey");
  if (typeof apiKey !== "string") return apiKey;
  return apiKey === credential.apiKey
    ? holder
    : refused("credential", call, { word: "api-key-differs", userName });
}

/** Whether the method takes the token of an invitation: the scheme lets in nobody by it elsewhere. */
function takesInvitation({ currentMethod }: SignedCall, { proofOfPossession: rule }: AuthOptions): boolean {
  return rule?.byInvitation === true && rule.method === currentMethod;
}

/** The signature step: encoding (D-16), agreement of the headers (D-23), signed bytes (D-15). Gives DER. */
async function payloadSignature(
  call: ClaimedCall,
  publicKey: KeyObject,
  { verifier }: Parts,
): Promise<Buffer | Refusal> {
  const text = requiredMember(call.claims, "signature");
  if (typeof text !== "string") return text;
  const signature = decodeSignature(text);
  if (signature === undefined) return faultyMember("signature", "malformed");
  const { kind, payloadBytes: bytes, payload } = call.envelope;
  const isEnveloped = kind === "enveloped";
  if (isEnveloped && headersContradict(call)) return refused("signature", call, { word: "headers-differ" });
  const signed = omitUndefined({ bytes, signature, value: isEnveloped ? payload : undefined });
  return (await isSigned(verifier, publicKey, signed)) ? signature : refused("signature", call);
}

/** The key that must have signed. */
interface SigningKey {
  readonly publicKey: KeyObject;
  /** Absent where the key is only presented, not registered (D-21). */
  readonly registeredId?: string;
}

/**
 * The key step: an ACTIVE key of this very user (D-17), or the one that the payload presents (D-21). Who comes by an
 * invitation proves the presented one.
 */
async function signingKey(
  call: ClaimedCall,
  { user, apiKeyId }: Holder,
  { callers, proofOfPossession }: Parts,
): Promise<SigningKey | Refusal> {
  const keyId = requiredMember(call.claims, "keyId");
  if (typeof keyId !== "string") return keyId;
  const active = apiKeyId === undefined ? undefined : await callers.activeKey(keyId, user);
  if (active !== undefined && active.userName === user.userName) {
    return { publicKey: active.publicKey, registeredId: keyId };
  }
  const publicKey = presentedKey(proofOfPossession, call);
  return publicKey === undefined ? refused("key", call) : { publicKey };
}

/**
 * The key that the payload itself presents, where the method registers one: signing with its private half proves
 * possession of it (D-21). The credential and the one-time password are checked all the same.
 */
function presentedKey(rule: AuthOptions["proofOfPossession"], call: SignedCall): KeyObject | undefined {
  if (rule === undefined || rule.method !== call.currentMethod) return undefined;
  const pem = call.payloadField(rule.field);
  return typeof pem === "string" ? readPublicKey(pem) : undefined;
}

/** A member as non-empty text, or the refusal of a missing or malformed one (D-06). */
function requiredMember(claims: Claims, member: string): string | Refusal {
  const value = claims[member];
  if (value === undefined || value === "") return faultyMember(member, "missing");
  return typeof value === "string" ? value : faultyMember(member, "malformed");
}

function faultyMember(member: string, kind: "missing" | "malformed"): Refusal {
  return { kind, detail: { member } };
}

/** RFC 9421 signatures under `auth.replay: strict` (D-24): bound to method, path and body, to a time, and used once. */
export const strictRules: MessageRules = {
  // The JSON-RPC method and id lie in the body that `content-digest` covers.
  covers: ["@method", "content-digest", ["@path", "@target-uri", "@request-target"]],
  algorithms: ["ecdsa-p256-sha256"],
  parameters: ["expires", "nonce"],
  origin: ({ header }) => `http://${header("host")[0] ?? ""}`,
  aheadSeconds: 30,
  ageSeconds: 300,
  validSecondsMax: 300,
};

function rulesFor({ origin }: AuthRules): MessageRules {
  return origin === undefined ? strictRules : { ...strictRules, origin: () => origin };
}

/** The signature of a message by the key that `params.api` names, or the first; nothing if none has all that is asked. */
function signedMessage(
  { envelope, claims, evidence }: ClaimedCall,
  { rules }: MessageCheck,
): MessageSignature | undefined {
  const keyId = envelope.kind === "flat" ? undefined : textOf(claims["keyId"]);
  const read = readMessageSignature(evidence, rules, keyId);
  return typeof read === "string" ? undefined : read;
}

/** What is wrong with a message signature. A key with too many live nonces signs too much, or for too long. */
async function messageFault(
  call: ClaimedCall,
  message: MessageSignature | undefined,
  signer: { readonly key: KeyObject; readonly owner: string },
  strict: MessageCheck,
): Promise<Refusal | undefined> {
  if (message === undefined) return refused("signature", call, { word: "message-signature" });
  const fault = await checkMessageSignature(message, signer, strict);
  if (fault === undefined || fault.kind === "exhausted") return fault;
  return { ...refused("signature", call, { word: messageFaults[fault.kind] }), kind: fault.kind };
}

const messageFaults = {
  rejected: "message-signature",
  expired: "message-signature-time",
  replayed: "replayed",
} as const;
