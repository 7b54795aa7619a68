import type { SchemeDescriptor } from "../../runtime/contract/index.ts";
import type {
  AuthClock,
  AuthScheme,
  Evidence,
  ReplayRegister,
  SchemeVerifier,
} from "../../runtime/auth/port.ts";
import { createReplayRegister } from "../../runtime/auth/replays.ts";
import { beginRequest, type AuthEvent, type RequestAuth, type SecuredMethod } from "./request-auth.ts";

/** The part of an interface that authentication needs. */
export interface SecuredInterface {
  readonly name: string;
  readonly schemes: Readonly<Record<string, SchemeDescriptor>>;
  readonly methods: Readonly<Record<string, SecuredMethod>>;
}

export interface AuthenticatorOptions {
  readonly clock?: AuthClock;
  /** Nonces and signatures that were used; in memory if absent. */
  readonly replays?: ReplayRegister;
  /** Receives what was refused and why. */
  readonly onEvent?: (event: AuthEvent) => void;
}

export interface Authenticator {
  /** For one HTTP request, or for one WebSocket connection with the evidence of its handshake. */
  begin(evidence: Evidence): RequestAuth;
}

/**
 * Binds the verifiers to the schemes of an interface.
 * @throws Error where a scheme has no verifier, one of another kind, or one whose options do not fit the spec.
 */
export function createAuthenticator(
  descriptor: SecuredInterface,
  verifiers: Readonly<Record<string, SchemeVerifier>>,
  options: AuthenticatorOptions = {},
): Authenticator {
  const clock = options.clock ?? { now: () => Date.now() };
  const replays = options.replays ?? createReplayRegister({ clock });
  const schemes = bindSchemes(descriptor, verifiers, { clock, replays });
  checkMethods(descriptor, schemes);
  const report = options.onEvent ?? (() => undefined);
  return { begin: (evidence) => beginRequest({ schemes, clock, report }, evidence) };
}

function bindSchemes(
  { name: realm, schemes }: SecuredInterface,
  verifiers: Readonly<Record<string, SchemeVerifier>>,
  services: { readonly clock: AuthClock; readonly replays: ReplayRegister },
): ReadonlyMap<string, AuthScheme> {
  const bound = Object.entries(schemes).map(([scheme, declared]): [string, AuthScheme] => {
    const verifier = Object.hasOwn(verifiers, scheme) ? verifiers[scheme] : undefined;
    if (verifier === undefined) {
      throw new Error(
        `the ${realm} interface declares the authentication scheme ${scheme} (${declared.kind}), and has no verifier ` +
          `for it: add \`${scheme}\` to the \`auth\` option`,
      );
    }
    if (verifier.kind !== declared.kind) {
      throw new Error(
        `the authentication scheme ${scheme} of the ${realm} interface is of kind ${declared.kind}, its verifier is ` +
          `of kind ${verifier.kind}: give \`auth.${scheme}\` a verifier of kind ${declared.kind}`,
      );
    }
    return [scheme, verifier.bind(declared, { scheme, realm, ...services })];
  });
  for (const scheme of Object.keys(verifiers)) {
    if (Object.hasOwn(schemes, scheme)) continue;
    const known = Object.keys(schemes).join(", ");
    throw new Error(
      `the \`auth\` option has a verifier ${scheme}, which is no authentication scheme of the ${realm} interface: ` +
        (known === "" ? "the interface has none" : `it has ${known}`),
    );
  }
  return new Map(bound);
}

/** Generated code cannot name an undeclared scheme; a descriptor written by hand can. */
function checkMethods({ name, methods }: SecuredInterface, schemes: ReadonlyMap<string, AuthScheme>): void {
  for (const method of Object.values(methods)) {
    for (const scheme of method.security.flatMap((alternative) => Object.keys(alternative))) {
      if (schemes.has(scheme)) continue;
      throw new Error(
        `the method ${method.name} of the ${name} interface needs the authentication scheme ${scheme}, which the ` +
          "interface does not declare: declare it under `schemes`, and generate the code again",
      );
    }
  }
}
