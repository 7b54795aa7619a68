import { SignJWT } from "jose";

/** Tokens as an identity provider issues them: for trying the service out. */
export async function tokenFor(name: string, scope: string, secret: string): Promise<string> {
  return await new SignJWT({ scope })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(name)
    .setAudience("chat")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(secret));
}
