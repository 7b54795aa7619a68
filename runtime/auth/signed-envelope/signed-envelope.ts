import { type AuthCall, AuthFault, type ClaimedCaller } from "../auth-scheme.ts";
import type { AuthOptions, AuthSchemeFactory, AuthServices } from "../auth-services.ts";
import type { Envelope } from "../../protocol/signed-envelope/envelope.ts";
import type { RawRequest } from "../../protocol/signed-envelope/raw-request.ts";
import type { UserRecord } from "../../store/ports/index.ts";
import {
  decodeSignature,
  isSigned,
  lowSignature,
  parseSignatureHeader,
  readPublicKey,
} from "../signing/index.ts";
import { callerOf, type Holder, holderOf, parseCredential } from "../credential.ts";
import { createMessageSignatureChecker, type MessageSignatureFault } from "./message-signatures/index.ts";
import { type JsonValue, type MethodDescriptor, omitUndefined } from "../../contract/index.ts";
import type { KeyObject } from "node:crypto";

/**
 * The documented scheme (section 5): credential, key and ECDSA signature in `params.api`, or in the headers of a flat
 * body (D-22). Under `auth.replay: strict` an RFC 9421 message signature is required beside it (D-24): it takes the place of
 * the signature of a flat body, and repetitions of that are known by the `Idempotency-Key` that it covers, if any. A method
 * that asks for no key takes the credential alone; a key or signature that is sent all the same is verified.
 */
export function signedEnvelope(options: AuthOptions = {}): AuthSchemeFactory {
  return (services) => {
    const { clock, verifier, keyUses, rules } = services;
    const steps = { ...services, ...options };
    const checkCredential = createCredentialCheck(steps);
    const findKey = createKeyFinder(steps);
    const checkSignature = createSignatureCheck(steps);
    const strict =
      rules.messageSignatures && createMessageSignatureChecker(rules.messageSignatures, clock, verifier);

    return {
      async authenticate(call, observer) {
        const { method, envelope, request } = call;
        const flat = envelope.kind === "flat";
        let claims = claimsOf(envelope, request);
        if (flat && rules.openFlatBodies !== undefined && claims["credential"] === undefined) {
          return { caller: rules.openFlatBodies, scopes: ["*"] };
        }
        const { user, apiKeyId } = await checkCredential(method, claims);
        await observer.identified(user.userName);
        if (envelope.kind === "enveloped" && !mustProveKey(method, claims)) {
          if (headersContradict(claims, request)) {
            throw new AuthFault({ fault: "badCredential", reason: "headers-differ" }, claimedBy(claims));
          }
          keyUses.used(user.userName, [apiKeyId]);
          return { caller: callerOf(user), scopes: user.scopes, requestIdentity: envelope.id };
        }
        const message = strict?.read(request, flat ? undefined : textOf(claims["keyId"]));
        if (flat && message !== undefined) claims = { ...claims, keyId: message.keyId };
        const { publicKey, registeredId } = await findKey(user, call, claims);
        if (registeredId !== undefined) observer.keyFound(registeredId);
        const bodySigned = flat && strict !== undefined;
        const signature = bodySigned ? undefined : await checkSignature(envelope, claims, request, publicKey);
        const owner = registeredId === undefined ? `user ${user.userName}` : `key ${registeredId}`;
        if (strict !== undefined) {
          const { institutionId } = user;
          const fault = await strict.check(message, { publicKey, owner, institutionId });
          if (fault !== undefined) throw refused(fault, claims);
        }
        keyUses.used(user.userName, registeredId === undefined ? [apiKeyId] : [apiKeyId, registeredId]);
        return {
          caller: callerOf(user, registeredId),
          scopes: user.scopes,
          requestIdentity: flat
            ? (message?.idempotencyKey ?? lowSignature(signature ?? message?.signature ?? Buffer.alloc(8)))
            : envelope.id,
        };
      },
    };
  };
}

/** The error for a key with too many live nonces: its caller signs too much, or for too long. */
function refused(fault: MessageSignatureFault, claims: Claims): AuthFault {
  const { reason } = fault;
  if (reason !== "nonces-exhausted") {
    return new AuthFault({ fault: "invalidSignature", reason }, claimedBy(claims));
  }
  const retryAfterSeconds = Math.max(1, Math.ceil(fault.retryAfterMs / 1000));
  return new AuthFault({ fault: "rateLimited", reason, retryAfterSeconds });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The options that all steps share. */
type StepOptions = AuthServices & AuthOptions;

/** Who a request says it is from, in one form for enveloped and flat bodies. Nothing here is believed yet. */
type Claims = Readonly<Partial<Record<string, JsonValue>>>;

/** The members of `params.api`, or of a flat body the headers that stand for them (D-22). */
function claimsOf(envelope: Envelope, request: RawRequest): Claims {
  if (envelope.kind === "enveloped") return envelope.api;
  const credential = basicCredential(request);
  const header = request.header("signature");
  const signed = header === undefined ? undefined : parseSignatureHeader(header);
  return omitUndefined({ credential, ...signed });
}

/** Who the claims name, for the log of failed sign-ins. */
function claimedBy({ keyId }: Claims, userName?: string): ClaimedCaller {
  return omitUndefined({ userName, keyId: typeof keyId === "string" ? keyId : undefined });
}

/** Whether a method asks for `apiKey` beside the credential (4.1–4.4, 4.6). */
function requiresApiKey({ transport }: MethodDescriptor): boolean {
  return transport.kind === "enveloped" && transport.auth.includes("apiKey");
}

/** Whether a call in an envelope has to prove its key: where the method asks for that, or the caller sends a part of it. */
function mustProveKey({ transport }: MethodDescriptor, claims: Claims): boolean {
  return (
    transport.kind !== "enveloped" ||
    ["keyId", "signature"].some((member) => transport.auth.includes(member) || claims[member] !== undefined)
  );
}

/**
 * Whether the headers of an enveloped call contradict its `params.api` (D-23). Authorization schemes other than
 * Basic are a gateway's business; a `Signature` that goes with a `Signature-Input` is one of RFC 9421.
 */
function headersContradict(claims: Claims, request: RawRequest): boolean {
  const credential = basicCredential(request);
  if (credential !== undefined && credential !== claims["credential"]) return true;
  const header = request.header("signature");
  if (header === undefined || request.header("signature-input") !== undefined) return false;
  const signed = parseSignatureHeader(header);
  return (
    signed?.keyId === undefined ||
    signed.keyId !== claims["keyId"] ||
    signed.signature !== claims["signature"]
  );
}

const basicScheme = /^basic +/i;

function basicCredential(request: RawRequest): string | undefined {
  const header = request.header("authorization");
  return header !== undefined && basicScheme.test(header) ? header.replace(basicScheme, "Basic ") : undefined;
}

/** Verifies the credential. */
type CheckCredential = (method: MethodDescriptor, claims: Claims) => Promise<Holder>;

/** The credential step (D-18). */
function createCredentialCheck(options: StepOptions): CheckCredential {
  return async (method, claims) => {
    const credential = parseCredential(requiredMember(claims, "credential"));
    if (credential === undefined) throw malformedMember("credential");
    const claimed = claimedBy(claims, credential.userName);
    const holder = await holderOf(credential, options);
    if (holder === undefined) throw new AuthFault({ fault: "badCredential" }, claimed);
    if (claims["apiKey"] !== undefined || requiresApiKey(method)) {
      const apiKey = requiredMember(claims, "apiKey");
      if (apiKey !== credential.apiKey) {
        throw new AuthFault({ fault: "badCredential", reason: "api-key-differs" }, claimed);
      }
    }
    return holder;
  };
}

/** Verifies the signature of a payload; gives its DER bytes. */
type CheckSignature = (
  envelope: Envelope,
  claims: Claims,
  request: RawRequest,
  publicKey: KeyObject,
) => Promise<Buffer>;

/** The signature step: encoding (D-16), agreement of the headers (D-23), signed bytes (D-15). */
function createSignatureCheck({ verifier }: StepOptions): CheckSignature {
  return async (envelope, claims, request, publicKey) => {
    const signature = decodeSignature(requiredMember(claims, "signature"));
    if (signature === undefined) throw malformedMember("signature");
    const enveloped = envelope.kind === "enveloped";
    if (enveloped && headersContradict(claims, request)) {
      throw new AuthFault({ fault: "invalidSignature", reason: "headers-differ" }, claimedBy(claims));
    }
    const { payloadBytes: bytes, payload } = envelope;
    const signed = omitUndefined({ bytes, signature, value: enveloped ? payload : undefined });
    if (!(await isSigned(verifier, publicKey, signed))) {
      throw new AuthFault({ fault: "invalidSignature" }, claimedBy(claims));
    }
    return signature;
  };
}

/** The key that must have signed. */
interface SigningKey {
  readonly publicKey: KeyObject;
  /** Absent where the key is only presented, not registered (D-21). */
  readonly registeredId?: string;
}

type FindSigningKey = (user: UserRecord, call: AuthCall, claims: Claims) => Promise<SigningKey>;

/** The key step: an ACTIVE key of this very user (D-17), or the one that the payload presents (D-21). */
function createKeyFinder({ callers, proofOfPossession }: StepOptions): FindSigningKey {
  return async (user, call, claims) => {
    const keyId = requiredMember(claims, "keyId");
    const active = await callers.activeKey(keyId, user);
    if (active !== undefined && active.userName === user.userName) {
      return { publicKey: active.publicKey, registeredId: keyId };
    }
    const publicKey = presentedKey(proofOfPossession, call);
    if (publicKey === undefined) throw new AuthFault({ fault: "unknownKey" }, claimedBy(claims));
    return { publicKey };
  };
}

/**
 * The key that the payload itself presents, where the method registers one: signing with its private half proves
 * possession of it (D-21). The credential and the one-time password are checked all the same.
 */
function presentedKey(rule: AuthOptions["proofOfPossession"], call: AuthCall): KeyObject | undefined {
  if (rule === undefined || rule.method !== call.currentMethod) return undefined;
  const pem = call.payloadField(rule.field);
  return typeof pem === "string" ? readPublicKey(pem) : undefined;
}

/** A member as non-empty text; throws the fault of a missing or malformed one (D-06). */
function requiredMember(claims: Claims, member: string): string {
  const value = claims[member];
  if (value === undefined || value === "") throw new AuthFault({ member, reason: "missing" });
  if (typeof value !== "string") throw malformedMember(member);
  return value;
}

function malformedMember(member: string): AuthFault {
  return new AuthFault({ member, reason: "malformed" });
}
