import type { MethodDescriptor } from "../../contract/index.ts";
import { AuthFault } from "../../ports/index.ts";
import { holderOf, parseCredential, type Holder } from "../credential.ts";
import { claimedBy, requiresApiKey, type Claims } from "./claims.ts";
import type { StepOptions } from "./options.ts";
import { malformedMember, requiredMember } from "./required-member.ts";

/** Verifies the credential. */
export type CheckCredential = (method: MethodDescriptor, claims: Claims) => Promise<Holder>;

/** The credential step (D-18). */
export function createCredentialCheck(options: StepOptions): CheckCredential {
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
