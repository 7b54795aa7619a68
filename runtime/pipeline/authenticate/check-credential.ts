import type { UserRecord } from "../../ports/index.ts";
import type { MethodDescriptor } from "../../contract/index.ts";
import type { CallContext } from "../call-context.ts";
import type { AuthenticateOptions } from "./options.ts";
import { requiresApiKey, type Claims } from "./claims.ts";
import { holdsKey, parseCredential } from "./credential.ts";
import { malformedMember, requiredMember } from "./required-member.ts";

/** Verifies the credential and counts the request against its rate; gives the user. */
export type Admit = (method: MethodDescriptor, claims: Claims, context: CallContext) => Promise<UserRecord>;

/** The credential step (D-18): unknown user, wrong realm and wrong key get one answer and cost the same. */
export function createAdmission(options: AuthenticateOptions): Admit {
  const { interfaceDescriptor, realm, fault, clock, callers, limit } = options;

  return async (method, claims, context) => {
    const credential = parseCredential(requiredMember(interfaceDescriptor, claims, "credential"));
    if (credential === undefined) throw malformedMember(interfaceDescriptor, "credential");
    const principal = await callers.principal(credential.userName);
    const held = holdsKey(principal, credential.apiKey, clock.now());
    if (principal === undefined || !held || principal.user.realm !== realm) throw fault("badCredential");
    if (claims.apiKey !== undefined || requiresApiKey(method)) {
      const apiKey = requiredMember(interfaceDescriptor, claims, "apiKey");
      if (apiKey !== credential.apiKey) throw fault("badCredential", { reason: "api-key-differs" });
    }
    context.userName = principal.user.userName;
    if (limit !== undefined) {
      const { allowed, headers } = limit(principal.user.userName);
      context.headers = headers;
      if (!allowed) throw fault("rateLimited");
    }
    return principal.user;
  };
}
