import type { MethodDescriptor } from "../../contract/index.ts";
import type { Caller, UserRecord } from "../../ports/index.ts";
import { lowSignature } from "../../signing/index.ts";
import type { Envelope } from "../decode/index.ts";
import type { PipelineFault } from "../fault.ts";
import type { CallContext } from "../call-context.ts";
import type { RawRequest } from "../raw-exchange.ts";
import { createAdmission } from "./check-credential.ts";
import { claimsOf } from "./claims.ts";
import { createMessageSignatureChecker, type MessageSignatureRefusal } from "./message-signatures.ts";
import type { AuthenticateOptions } from "./options.ts";
import { createSignatureCheck } from "./signature-check.ts";
import { createKeyFinder } from "./signing-key.ts";

/** A request whose credential, key and signature were verified. */
export interface AuthenticatedCall {
  readonly method: MethodDescriptor;
  readonly envelope: Envelope;
  readonly caller: Caller;
  /** Method names, `Service.*` or `*` (D-19). */
  readonly scopes: readonly string[];
  /**
   * What tells this request from others of the same key and payload (D-24): the request id, or the signature of a
   * flat body, which has none. Absent where nothing does.
   */
  readonly requestIdentity?: string;
}

/** Envelope → AuthenticatedCall, in the order of D-05: credential, key, signature. */
export type Authenticate = (
  method: MethodDescriptor,
  envelope: Envelope,
  request: RawRequest,
  context: CallContext,
) => Promise<AuthenticatedCall>;

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { fault, clock, verifier, rules } = options;
  const admit = createAdmission(options);
  const findKey = createKeyFinder(options);
  const checkSignature = createSignatureCheck(options);
  const strict =
    rules.messageSignatures && createMessageSignatureChecker(rules.messageSignatures, clock, verifier);

  return async (method, envelope, request, context) => {
    const flat = envelope.kind === "flat";
    let claims = claimsOf(envelope, request);
    if (flat && rules.openFlatBodies !== undefined && claims.credential === undefined) {
      return { method, envelope, caller: rules.openFlatBodies, scopes: ["*"] };
    }
    const user = await admit(method, claims, context);
    const message = strict?.read(request, flat ? undefined : textOf(claims.keyId));
    if (flat && message !== undefined) claims = { ...claims, keyId: message.keyId };
    const { publicKey, registeredId } = await findKey(user, method, envelope, claims);
    if (registeredId !== undefined) context.keyId = registeredId;
    const bodySigned = flat && strict !== undefined;
    const signature = bodySigned ? undefined : await checkSignature(envelope, claims, request, publicKey);
    const owner = registeredId === undefined ? `user ${user.userName}` : `key ${registeredId}`;
    const refusal = await strict?.check(message, { publicKey, owner });
    if (refusal !== undefined) throw refused(refusal, context);
    return {
      method,
      envelope,
      caller: callerOf(user, registeredId),
      scopes: user.scopes,
      requestIdentity: flat ? lowSignature(signature ?? message?.signature ?? Buffer.alloc(8)) : envelope.id,
    };
  };

  /** What a key with too many live nonces is answered is meant for that caller alone: it signs too much, or for too long. */
  function refused(refusal: MessageSignatureRefusal, context: CallContext): PipelineFault {
    const { reason } = refusal;
    if (reason !== "nonces-exhausted") return fault("invalidSignature", { reason });
    const retryAfter = String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1000)));
    context.headers = { ...context.headers, "Retry-After": retryAfter };
    return fault("rateLimited", { reason });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function callerOf({ userName, institutionId, customerIds }: UserRecord, keyId: string | undefined): Caller {
  return {
    userName,
    institutionId,
    ...(keyId === undefined ? {} : { keyId }),
    ...(customerIds === undefined ? {} : { customerIds }),
  };
}
