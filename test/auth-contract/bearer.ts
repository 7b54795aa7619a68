import { hash, timingSafeEqual } from "node:crypto";
import { AuthFault } from "../../runtime/auth/auth-scheme.ts";
import type { AuthSchemeFactory } from "../../runtime/auth/auth-services.ts";

/** Who a token stands for. */
export interface TokenHolder {
  readonly token: string;
  readonly userName: string;
  readonly institutionId: string;
  readonly scopes: readonly string[];
}

/** A scheme of the tests' own: `Authorization: Bearer <token>` (RFC 6750) over a fixed list. */
export function bearerTokens(holders: readonly TokenHolder[]): AuthSchemeFactory {
  const known = holders.map((holder) => ({ ...holder, digest: hash("sha256", holder.token, "buffer") }));
  return () => ({
    async authenticate({ envelope, request }, observer) {
      const header = request.header("authorization") ?? "";
      if (!header.startsWith("Bearer ")) {
        throw new AuthFault({ fault: "badCredential", reason: "missing" });
      }
      const sent = hash("sha256", header.slice("Bearer ".length), "buffer");
      const holder = known.find(({ digest }) => timingSafeEqual(digest, sent));
      if (holder === undefined) throw new AuthFault({ fault: "badCredential" });
      const { userName, institutionId, scopes } = holder;
      await observer.identified(userName);
      return {
        caller: { userName, institutionId },
        scopes,
        ...(envelope.kind === "enveloped" && { requestIdentity: envelope.id }),
      };
    },
  });
}
