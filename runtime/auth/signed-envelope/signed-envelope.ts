import { AuthFault, type AuthOptions, type AuthSchemeFactory } from "../../ports/index.ts";
import { lowSignature } from "../../signing/index.ts";
import { callerOf } from "../credential.ts";
import { createMessageSignatureChecker, type MessageSignatureFault } from "../message-signatures/index.ts";
import { createCredentialCheck } from "./check-credential.ts";
import { createSignatureCheck } from "./check-signature.ts";
import { claimedBy, claimsOf, headersContradict, isSigned, type Claims } from "./claims.ts";
import { createKeyFinder } from "./find-signing-key.ts";

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
        if (envelope.kind === "enveloped" && !isSigned(method, claims)) {
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
