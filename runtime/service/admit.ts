import type { SecurityAlternative } from "../contract/index.ts";
import type { DecodedCall, Protocol, ServedMethod } from "../protocol/port.ts";
import type { RequestAuth } from "../auth/authenticator.ts";

/** Whether a connection is worth keeping open. */
export type Admission =
  | { readonly kind: "admitted" }
  | { readonly kind: "unavailable" }
  | { readonly kind: "unauthenticated"; readonly challenges: readonly string[] };

/** Kinds of schemes that verify each call by itself: a handshake says nothing about them. */
const kindsByCall: ReadonlySet<string> = new Set(["envelope"]);

/**
 * Verifies the credentials of a handshake: they have to be good for one method at least, whatever its scopes. Where a
 * method is open, everyone is admitted. Each call is authorized again.
 */
export async function admit<Method extends ServedMethod, Call extends DecodedCall>(
  { methods, schemes, securityOf }: Pick<Protocol<Method, Call>, "methods" | "schemes" | "securityOf">,
  requestAuth: RequestAuth,
): Promise<Admission> {
  const all = Object.values(methods).map((method) => ({ name: method.name, security: securityOf(method) }));
  const isOpen = all.some(({ security }) => security.length === 0 || security.some(isEmpty));
  const isByCall = Object.values(schemes).some(({ kind }) => kindsByCall.has(kind));
  if (isOpen || isByCall || all.length === 0) return { kind: "admitted" };
  const challenges = new Set<string>();
  let isUnavailable = false;
  for (const { name, security } of distinct(all)) {
    const outcome = await requestAuth.authorize(
      { name, security: security.map(withoutScopes) },
      { method: name },
    );
    if (outcome.kind === "granted") return { kind: "admitted" };
    if (outcome.kind === "unavailable" || outcome.kind === "exhausted") isUnavailable = true;
    if (outcome.kind === "unauthenticated") for (const each of outcome.challenges) challenges.add(each);
  }
  return isUnavailable ? { kind: "unavailable" } : { kind: "unauthenticated", challenges: [...challenges] };
}

interface Secured {
  readonly name: string;
  readonly security: readonly SecurityAlternative[];
}

/** One method for each set of schemes: most interfaces have one or two. */
function distinct(methods: readonly Secured[]): readonly Secured[] {
  const bySchemes = methods.map(
    (method) => [JSON.stringify(method.security.map(withoutScopes)), method] as const,
  );
  return [...new Map(bySchemes).values()];
}

function withoutScopes(alternative: SecurityAlternative): SecurityAlternative {
  return Object.fromEntries(Object.keys(alternative).map((scheme) => [scheme, []]));
}

function isEmpty(alternative: SecurityAlternative): boolean {
  return Object.keys(alternative).length === 0;
}
