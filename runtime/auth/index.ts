import type { InterfaceDescriptor } from "../contract/index.ts";
import type { AuthOptions, AuthSchemeFactory } from "./auth-services.ts";
import { signedEnvelope } from "./signed-envelope/signed-envelope.ts";

/** Authentication schemes by name. */
export type AuthSchemes = Readonly<Record<string, (options?: AuthOptions) => AuthSchemeFactory>>;

/** Every scheme, by the name that a spec gives in `auth.scheme`. A scheme more is a folder and a line here. */
export const authSchemes: AuthSchemes = { signedEnvelope };

/**
 * The scheme of an interface.
 * @throws Error where the table has none of the name that the spec gives.
 */
export function schemeOf(
  { name, authScheme }: InterfaceDescriptor,
  schemes: AuthSchemes,
  options?: AuthOptions,
): AuthSchemeFactory {
  const scheme = schemes[authScheme];
  if (scheme !== undefined) return scheme(options);
  throw new Error(
    `the spec of the ${name} interface names the authentication scheme ${authScheme} (auth.scheme), and the service ` +
      `has ${Object.keys(schemes).join(", ")}: correct the spec, or add the scheme in runtime/auth/index.ts`,
  );
}

export { signedEnvelope };
export { createCallerCache, uncachedCallers, type CallerCacheOptions } from "./caller-cache.ts";
export { createKeyUses, type KeyUsesOptions } from "./key-uses.ts";
export {
  createNonceRegister,
  type NonceRegisterOptions,
} from "./signed-envelope/message-signatures/index.ts";
