import type { MethodDescriptor } from "../../contract/index.ts";
import { AuthFault, type UserRecord } from "../../ports/index.ts";
import { requiresApiKey, type Claims } from "./claims.ts";
import { heldKey, parseCredential } from "./credential.ts";
import type { StepOptions } from "./options.ts";
import { malformedMember, requiredMember } from "./required-member.ts";

/** Verifies the credential. */
export type CheckCredential = (method: MethodDescriptor, claims: Claims) => Promise<KnownUser>;

export interface KnownUser {
  readonly user: UserRecord;
  /** Identifier of the API key of the credential. */
  readonly apiKeyId: string;
}

/** The credential step (D-18): unknown user, wrong realm and wrong key get one answer and cost the same. */
export function createCredentialCheck({ realm, clock, callers }: StepOptions): CheckCredential {
  return async (method, claims) => {
    const credential = parseCredential(requiredMember(claims, "credential"));
    if (credential === undefined) throw malformedMember("credential");
    const principal = await callers.principal(credential.userName);
    const apiKeyId = heldKey(principal, credential.apiKey, clock.now());
    if (principal === undefined || apiKeyId === undefined || principal.user.realm !== realm) {
      throw new AuthFault({ fault: "badCredential" });
    }
    if (claims["apiKey"] !== undefined || requiresApiKey(method)) {
      const apiKey = requiredMember(claims, "apiKey");
      if (apiKey !== credential.apiKey) {
        throw new AuthFault({ fault: "badCredential", reason: "api-key-differs" });
      }
    }
    return { user: principal.user, apiKeyId };
  };
}
