import { SignJWT } from "jose";
import type { SchemeVerifier } from "ledger-rpc-runtime";
import { jwt } from "ledger-rpc-runtime/auth/jwt";

/** Who calls, as handlers find it in `context.auth.user.caller`. */
export interface User {
  readonly id: string;
}

/** Takes tokens of an issuer that shares a secret; for one that publishes its keys give `jwks` in place of `secret`. */
export function userScheme(secret: string): SchemeVerifier<"jwt", User> {
  return jwt({ secret, caller });
}

function caller({ sub }: { readonly sub?: string }): User | undefined {
  return sub === undefined ? undefined : { id: sub };
}

/** A token for an hour, as an issuer makes it: to try the service out. */
export async function tokenFor(id: string, secret: string): Promise<string> {
  return await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(id)
    .setAudience("PROJECT_NAME")
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(secret));
}
