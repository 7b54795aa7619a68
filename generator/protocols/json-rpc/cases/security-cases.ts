import type { Expectation } from "../../../../conformance/suite/case.ts";
import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import type {
  CredentialChange,
  CredentialPlan,
  SecurityAlternative,
  SchemeEntry,
} from "../../../../conformance/suite/json-rpc.ts";
import type { MethodEntry } from "../../../../conformance/suite/suite.ts";
import { slug } from "../../../../conformance/cases/draft.ts";
import {
  addMethodCase,
  answeredMethods,
  refusedAs,
  taken,
  transportOf,
  type StandardCases,
  omitting,
} from "./standard-cases.ts";

/**
 * Access cases: each alternative alone, each part of one missing, scopes missing, nothing at all. For each scheme
 * they try every fault of its credential, on the first method that asks for it.
 */
export function securityCases(cases: StandardCases): void {
  const tried = new Set<string>();
  for (const method of answeredMethods(cases)) {
    const security = transportOf(method)?.security ?? [];
    if (security.length === 0) continue;
    const tests = new MethodSecurity(cases, method, security);
    tests.nothing();
    for (const alternative of security.filter((each) => each.length > 0)) {
      tests.alternative(alternative);
      for (const { scheme } of alternative) {
        const { kind = "", options = {} } = cases.wire.schemes.find(({ name }) => name === scheme) ?? {};
        const changes = schemeKindOf(kind)?.changes(options) ?? [];
        tests.changed(alternative, scheme, tried.has(scheme) ? ["wrong"] : changes);
        tried.add(scheme);
      }
    }
  }
}

class MethodSecurity {
  readonly #cases: StandardCases;
  readonly #method: MethodEntry;
  readonly #security: readonly SecurityAlternative[];

  constructor(cases: StandardCases, method: MethodEntry, security: readonly SecurityAlternative[]) {
    this.#cases = cases;
    this.#method = method;
    this.#security = security;
  }

  #add(name: string, title: string, credentials: readonly CredentialPlan[], more: object = {}): void {
    addMethodCase(this.#cases, this.#method, {
      group: "authentication",
      name,
      title,
      request: { credentials, ...more },
      expect: this.#expect(credentials),
    });
  }

  #expect(credentials: readonly CredentialPlan[]): Expectation {
    const outcome = securityOutcome(this.#security, credentials, this.#cases.wire.schemes);
    return outcome === "granted"
      ? taken(this.#cases, "unauthenticated", "forbidden")
      : refusedAs(this.#cases, outcome);
  }

  /** Without credentials; before parameters are validated, and in notifications. */
  nothing(): void {
    this.#add("none", "no credentials", []);
    const expect = this.#expect([]);
    if (expect.kind !== "error") return;
    addMethodCase(this.#cases, this.#method, {
      group: "authentication",
      name: "before-params",
      title: "no credentials, and wrong parameters: the answer does not say what is wrong with them",
      request: { payload: { "x-unknown": true }, credentials: [] },
      expect,
      level: "decisions",
    });
    addMethodCase(this.#cases, this.#method, {
      group: "authentication",
      name: "notification",
      title: "no credentials, and no id: a notification is not answered",
      section: "4.1",
      request: { envelope: omitting(this.#cases.frame.id), credentials: [] },
      expect: { kind: "silent" },
    });
  }

  /** One alternative alone is enough; without one of its parts it is not. */
  alternative(alternative: SecurityAlternative): void {
    const words = alternative.map(({ scheme }) => scheme);
    this.#add(slug(words.join("+")), `${words.join(" and ")} alone`, alternative);
    if (alternative.length > 1)
      for (const { scheme } of alternative)
        this.#add(
          slug(`${words.join("+")}-without-${scheme}`),
          `${words.join(" and ")} without ${scheme}`,
          alternative.filter((each) => each.scheme !== scheme),
        );
    for (const { scheme, scopes } of alternative) this.#scopes(alternative, scheme, scopes);
  }

  /** Of tokens that the suite issues each scope is left out alone; what it does not issue grants none. */
  #scopes(alternative: SecurityAlternative, scheme: string, scopes: readonly string[]): void {
    const kind = this.#cases.wire.schemes.find(({ name }) => name === scheme)?.kind ?? "";
    const left =
      kind === "jwt" ? scopes.map((scope) => [scope, scopes.filter((each) => each !== scope)] as const) : [];
    const none = ["scopes", []] as const;
    const isLimited = schemeKindOf(kind)?.hasScopes === true;
    for (const [scope, rest] of scopes.length > 0 && isLimited
      ? [none, ...(scopes.length > 1 ? left : [])]
      : [])
      this.#add(
        slug(`${scheme}-without-${scope}`),
        `${scheme} without ${scope === "scopes" ? scopes.join(" ") : scope}`,
        alternative.map((each) => (each.scheme === scheme ? { ...each, scopes: rest, limited: true } : each)),
      );
    if (kind === "jwt" && scopes.length > 0)
      this.#add(
        slug(`${scheme}-scope-in-part`),
        `${scheme} with scopes that only begin alike`,
        alternative.map((each) =>
          each.scheme === scheme
            ? { ...each, scopes: scopes.map((scope) => `${scope}x`), limited: true }
            : each,
        ),
      );
  }

  changed(
    alternative: SecurityAlternative,
    scheme: string,
    changes: readonly CredentialPlan["change"][],
  ): void {
    const words = alternative.map((each) => each.scheme).join("+");
    const isOptional = this.#security.some((each) => each.length === 0);
    for (const change of changes) {
      // Services may differ in whether a scheme's name alone is a credential.
      if (change === undefined || (change === "empty" && isOptional)) continue;
      this.#add(
        slug(words === scheme ? `${scheme}-${change}` : `${words}-${scheme}-${change}`),
        `${scheme}: ${changeTitles[change]}`,
        alternative.map((each) => (each.scheme === scheme ? { ...each, change } : each)),
      );
    }
  }
}

/** The title of a case by its change. */
const changeTitles: Readonly<Record<CredentialChange, string>> = {
  malformed: "not of its form",
  empty: "nothing where a credential should be",
  wrong: "another than the right one, of the same form",
  stranger: "signed with a key that the service does not know",
  "unknown-key": "of an unknown user or key",
  expired: "right once, and too old",
  early: "not valid yet",
  replayed: "right, and sent once before",
  "alg-none": "an unsigned token, alg none (RFC 8725, section 2.1)",
  "other-algorithm": "HMAC with the public key as the secret (RFC 8725, section 2.1)",
  "other-issuer": "of another issuer",
  "other-audience": "for another audience",
  "claim-missing": "without the claim that ends it",
  "timestamp-changed": "the time changed after signing",
  "nonce-changed": "the nonce changed after signing",
  "body-changed": "what it vouches for changed after signing",
  "path-changed": "signed for another path",
  "method-changed": "signed for another HTTP method",
  uncovered: "a part that has to be covered is not",
};

/** The outcome of presented credentials: the first alternative that holds grants the call. */
export function securityOutcome(
  security: readonly SecurityAlternative[],
  presented: readonly CredentialPlan[],
  schemes: readonly SchemeEntry[],
): "granted" | "unauthenticated" | "forbidden" {
  const attempts = security
    .filter((each) => each.length > 0)
    .map((each) => attempt(each, presented, schemes));
  if (attempts.includes("holds")) return "granted";
  const isOptional = security.some((each) => each.length === 0);
  if (isOptional && attempts.every((each) => each === "missing" || each === "forbidden")) return "granted";
  return attempts.includes("forbidden") ? "forbidden" : "unauthenticated";
}

function attempt(
  alternative: SecurityAlternative,
  presented: readonly CredentialPlan[],
  schemes: readonly SchemeEntry[],
): "holds" | "missing" | "refused" | "forbidden" {
  const plans = alternative.map(({ scheme, scopes }) => ({
    scopes,
    plan: presented.find((each) => each.scheme === scheme),
  }));
  const carried = new Set(presented.map(({ scheme }) => carrierOf(scheme, schemes)));
  const absent = alternative.find(({ scheme }) => !presented.some((each) => each.scheme === scheme));
  // A credential of one scheme stands where another looks for its own.
  if (absent !== undefined) return carried.has(carrierOf(absent.scheme, schemes)) ? "refused" : "missing";
  if (plans.some(({ plan }) => plan?.change !== undefined)) return "refused";
  const isGranted = plans.every(({ scopes, plan }) => grants(plan, scopes));
  return isGranted ? "holds" : "forbidden";
}

/** Where a credential stands: tokens of all kinds follow the same word in the same header. */
function carrierOf(scheme: string, schemes: readonly SchemeEntry[]): string {
  const { kind = "", options = {} } = schemes.find(({ name }) => name === scheme) ?? {};
  if (kind === "jwt" || kind === "bearer") return "bearer";
  const { header } = options;
  return typeof header === "string" ? header.toLowerCase() : kind;
}

/** Credentials are made with the scopes of their own alternative; one that is not limited may grant more. */
function grants(plan: CredentialPlan | undefined, scopes: readonly string[]): boolean {
  return plan?.limited !== true || scopes.every((scope) => plan.scopes.includes(scope));
}
