import {
  isOwnKind,
  type CredentialPlan,
  type SchemeEntry,
  type SecurityAlternative,
} from "../suite/json-rpc.ts";
import type { Credentials } from "./credential.ts";
import { MissingValue } from "./resolve-value.ts";
import { hmacCredential } from "./schemes/hmac.ts";
import { jwtCredential } from "./schemes/jwt.ts";
import { ownCredential } from "./schemes/own.ts";
import { messageSignatureCredential } from "./schemes/message-signature.ts";
import type { CredentialHeaders, CredentialTask, SignedRequest } from "./schemes/scheme.ts";
import {
  apiKeyCredential,
  basicCredential,
  bearerCredential,
  certificateCredential,
} from "./schemes/tokens.ts";

type MakeCredential = (task: CredentialTask) => CredentialHeaders;

const makers: ReadonlyMap<string, MakeCredential> = new Map<string, MakeCredential>([
  ["basic", basicCredential],
  ["bearer", bearerCredential],
  ["jwt", jwtCredential],
  ["api-key", apiKeyCredential],
  ["hmac", hmacCredential],
  ["message-signature", messageSignatureCredential],
  ["client-cert", certificateCredential],
]);

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
    const make = makers.get(scheme?.kind ?? "") ?? (scheme && isOwnKind(scheme) ? ownCredential : undefined);
    if (scheme === undefined || credential === undefined || make === undefined)
      throw new MissingValue(`credentials.${plan.scheme}`);
    return make({ scheme, plan, credential, request, nowSeconds, nonce });
  });
  return Object.fromEntries(headers.flatMap((each) => Object.entries(each)));
}

/** The first alternative for which the access file has all credentials; undefined where there is none. */
export function satisfiable(
  security: readonly SecurityAlternative[],
  credentials: Credentials,
): SecurityAlternative | undefined {
  const full = security.filter((alternative) => alternative.length > 0);
  return full.find((alternative) => alternative.every(({ scheme }) => Object.hasOwn(credentials, scheme)));
}
