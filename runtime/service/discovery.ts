import type { Identity, SecurityAlternative } from "../contract/index.ts";
import type { AuthIdentities, AuthObserver, AuthOutcome, CallEvidence } from "../auth/port.ts";
import type { DecodedCall, Protocol, ServedMethod } from "../protocol/port.ts";
import type { RequestAuth } from "../auth/authenticator.ts";

/** The method that a service answers by itself (OpenRPC 1.3, section "Service Discovery Method"). */
export interface Discovery {
  /** All identities of a caller. Refused where no method would take its credentials, whatever their scopes. */
  authorize(requestAuth: RequestAuth, call: CallEvidence, observer: AuthObserver): Promise<AuthOutcome>;
  /** The document as JSON, without the methods that these identities may not call. */
  textFor(auth: AuthIdentities): string;
}

export function createDiscovery<Method extends ServedMethod, Call extends DecodedCall>(
  { methods, securityOf }: Pick<Protocol<Method, Call>, "methods" | "securityOf">,
  document: string,
): Discovery {
  const securities = Object.values(methods).map(securityOf);
  const isOpen = securities.every((security) => security.length === 0) || securities.some(mayCallWith({}));
  const alternatives = distinct(securities.flat());
  return {
    async authorize(requestAuth, call, observer) {
      const auth: Record<string, Identity> = {};
      let refusal: NotGranted | undefined;
      for (const alternative of alternatives) {
        // Beside an empty alternative, a caller without credentials is taken, and one with bad ones is not.
        const security = isOpen ? [alternative, {}] : [alternative];
        const outcome = await requestAuth.authorize({ name: call.method, security }, call, observer);
        if (outcome.kind === "unavailable" || outcome.kind === "halted") return outcome;
        if (outcome.kind === "granted") Object.assign(auth, outcome.auth);
        else refusal = withChallenges(outcome, refusal);
      }
      if (refusal !== undefined && Object.keys(auth).length === 0) return refusal;
      return { kind: "granted", auth };
    },
    textFor(auth) {
      const mayCall = mayCallWith(auth);
      const hidden = Object.values(methods).filter((method) => !mayCall(securityOf(method)));
      return hidden.length === 0
        ? document
        : withoutMethods(document, new Set(hidden.map(({ name }) => name)));
    },
  };
}

type NotGranted = Exclude<AuthOutcome, { readonly kind: "granted" }>;

/** The later refusal, with the challenges of both. */
function withChallenges(refusal: NotGranted, before: NotGranted | undefined): NotGranted {
  if (refusal.kind !== "unauthenticated" || before?.kind !== "unauthenticated") return refusal;
  return { ...refusal, challenges: [...new Set([...before.challenges, ...refusal.challenges])] };
}

/** The sets of schemes that methods ask for, without their scopes. */
function distinct(alternatives: readonly SecurityAlternative[]): readonly SecurityAlternative[] {
  const sets = alternatives.map((alternative) => Object.keys(alternative).toSorted());
  const named = sets.filter((names) => names.length > 0).map((names) => [names.join(" "), names] as const);
  return [...new Map(named).values()].map((names) => Object.fromEntries(names.map((name) => [name, []])));
}

function mayCallWith(auth: AuthIdentities): (security: readonly SecurityAlternative[]) => boolean {
  const holds = ([scheme, scopes]: readonly [string, readonly string[]]): boolean => {
    const granted = Object.hasOwn(auth, scheme) ? auth[scheme]?.scopes : undefined;
    return granted !== undefined && scopes.every((scope) => granted.includes(scope));
  };
  return (security) =>
    security.length === 0 || security.some((alternative) => Object.entries(alternative).every(holds));
}

interface OpenRpcDocument {
  readonly methods: readonly { readonly name: string; readonly "x-security"?: readonly object[] }[];
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly "x-security"?: Readonly<Record<string, unknown>>;
}

/** Neither methods nor what they alone refer to. */
function withoutMethods(text: string, hidden: ReadonlySet<string>): string {
  const document: OpenRpcDocument = JSON.parse(text);
  const { components = {}, "x-security": schemes = {} } = document;
  const methods = document.methods.filter(({ name }) => !hidden.has(name));
  const reached = reachedFrom(methods, components);
  const used = new Set(methods.flatMap((each) => each["x-security"] ?? []).flatMap(Object.keys));
  const groups = Object.entries(components).map(([group, members]) => {
    const kept = Object.entries(members).filter(([name]) => reached.has(pointerOf(group, name)));
    return [group, Object.fromEntries(kept)] as const;
  });
  return JSON.stringify({
    ...document,
    methods,
    ...(document.components !== undefined && { components: Object.fromEntries(groups) }),
    ...(document["x-security"] !== undefined && {
      "x-security": Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name))),
    }),
  });
}

/** Pointers of all components that a value refers to, by way of others, too. */
function reachedFrom(root: unknown, components: OpenRpcDocument["components"] = {}): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "object" && value !== null) pending.push(...Object.values(value));
    if (typeof value !== "string" || !value.startsWith("#/components/")) continue;
    const [group = "", name = ""] = value.slice("#/components/".length).split("/").map(decoded);
    const pointer = pointerOf(group, name);
    if (reached.has(pointer)) continue;
    reached.add(pointer);
    if (Object.hasOwn(components, group)) pending.push(components[group]?.[name]);
  }
  return reached;
}

function pointerOf(group: string, name: string): string {
  return JSON.stringify([group, name]);
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}

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
  for (const { name, security } of oncePerSchemes(all)) {
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
function oncePerSchemes(methods: readonly Secured[]): readonly Secured[] {
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
