import { AuthFault } from "../auth-scheme.ts";
import type { AuthSchemeFactory } from "../auth-services.ts";
import { callerOf, holderOf, parseCredential } from "../credential.ts";

/** `Authorization: Basic <Username>:<apiKey>`, and nothing signed. */
export function apiKey(): AuthSchemeFactory {
  return (services) => ({
    async authenticate({ envelope, request }, observer) {
      const credential = parseCredential(request.header("authorization") ?? "");
      const holder = credential && (await holderOf(credential, services));
      if (holder === undefined) throw new AuthFault({ fault: "badCredential" });
      await observer.identified(holder.user.userName);
      services.keyUses.used(holder.user.userName, [holder.apiKeyId]);
      return {
        caller: callerOf(holder.user),
        scopes: holder.user.scopes,
        ...(envelope.kind === "enveloped" && { requestIdentity: envelope.id }),
      };
    },
  });
}
