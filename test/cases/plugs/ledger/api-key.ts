import {
  type Caller,
  callerOf,
  holderOf,
  parseCredential,
  type SchemeVerifier,
} from "../runtime/auth/index.ts";

/** `Authorization: Basic <Username>:<apiKey>`, and nothing signed. */
export function apiKey(): SchemeVerifier<"apiKey", Caller> {
  return {
    kind: "apiKey",
    bind: (_declared, { realm, clock, services }) => ({
      verifies: "request",
      async verify(evidence) {
        const [header] = evidence.header("authorization");
        if (header === undefined || services === undefined) return { kind: "missing" };
        const credential = parseCredential(header);
        const holder = credential && (await holderOf(credential, { realm, clock, ...services }));
        if (holder === undefined) return { kind: "rejected" };
        if (holder.apiKeyId !== undefined) services.callers.used(holder.user.userName, [holder.apiKeyId]);
        const identity = { caller: callerOf(holder.user), scopes: holder.user.scopes };
        return { kind: "identity", identity };
      },
    }),
  };
}
