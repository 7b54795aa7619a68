import type { CredentialPlan, SchemeEntry, SecurityAlternative } from "../suite/json-rpc.ts";
import type { Credentials } from "./credential.ts";
import { MissingValue } from "./resolve-value.ts";
import { schemeKindOf } from "./schemes/index.ts";
import type { CredentialHeaders, SignedRequest } from "./schemes/scheme.ts";

/** The headers of a request that prove who calls. @throws MissingValue for what the access file does not have */
export function credentialHeaders(
  plans: readonly CredentialPlan[],
  schemes: readonly SchemeEntry[],
  credentials: Credentials,
  request: SignedRequest,
  nonce: string,
): CredentialHeaders {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const headers = plans.map((plan) => {
    const scheme = schemes.find(({ name }) => name === plan.scheme);
    const credential = Object.hasOwn(credentials, plan.scheme) ? credentials[plan.scheme] : undefined;
    const kind = schemeKindOf(scheme?.kind ?? "");
    if (scheme === undefined || credential === undefined || kind === undefined)
      throw new MissingValue(`credentials.${plan.scheme}`);
    return kind.credential({ scheme, plan, credential, request, nowSeconds, nonce });
  });
  return Object.fromEntries(headers.flatMap((each) => Object.entries(each)));
}

/** The first alternative for which the access file has all credentials; undefined if it has none. */
export function satisfiable(
  security: readonly SecurityAlternative[],
  credentials: Credentials,
): SecurityAlternative | undefined {
  const full = security.filter((alternative) => alternative.length > 0);
  return full.find((alternative) => alternative.every(({ scheme }) => Object.hasOwn(credentials, scheme)));
}
