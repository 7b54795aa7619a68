import { authorization, quoted, sha256, verdictOf, type CallerRights, type Found } from "../scheme-parts.ts";
import type { SchemeVerifier } from "../port.ts";

export interface BearerOptions<Caller> extends CallerRights<Caller> {
  /** Looks a token up and gives its caller. Store tokens by their SHA-256, in hexadecimal, and look that up. */
  caller(token: { readonly token: string; readonly sha256: string }): Found<Caller>;
}

/** Opaque bearer tokens (RFC 6750), which the application looks up. */
export function bearer<Caller>({
  caller,
  ...rights
}: BearerOptions<Caller>): SchemeVerifier<"bearer", Caller> {
  return {
    kind: "bearer",
    bind: (_declared, { realm, clock }) => ({
      verifies: "request",
      challenge: `Bearer realm=${quoted(realm)}`,
      verify(evidence) {
        const presented = authorization(evidence, "bearer");
        if (presented.kind !== "text") return presented;
        const token = presented.text;
        return verdictOf(caller({ token, sha256: sha256(token) }), clock.now(), rights);
      },
    }),
  };
}
