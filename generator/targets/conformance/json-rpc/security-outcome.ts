import type {
  CredentialPlan,
  SchemeEntry,
  SecurityAlternative,
} from "../../../../conformance/suite/json-rpc.ts";

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
