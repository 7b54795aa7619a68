import type { AuthIdentities } from "../auth/port.ts";
import type { RequestAuth } from "../auth/authenticator.ts";
import type { JsonRpcMethodDescriptor } from "../contract/index.ts";
import type { DecodedCall } from "../protocol/json-rpc/index.ts";
import { callError, type CallError } from "./call-error.ts";

export interface AuthorizedCall {
  readonly kind: "authorized";
  readonly auth: AuthIdentities;
}

/** Which identities a call has, or why it is not allowed. Every rejected credential gets the same answer. */
export async function authorize(
  requestAuth: RequestAuth,
  method: JsonRpcMethodDescriptor,
  { paramsBytes }: DecodedCall,
): Promise<AuthorizedCall | CallError> {
  if (method.security.length === 0) return { kind: "authorized", auth: {} };
  const evidence = { method: method.name };
  const outcome = await requestAuth.authorize(
    method,
    paramsBytes === undefined ? evidence : { ...evidence, params: paramsBytes },
  );
  switch (outcome.kind) {
    case "granted":
      return { kind: "authorized", auth: outcome.auth };
    case "unauthenticated":
      return { ...callError("unauthenticated"), challenges: outcome.challenges };
    case "forbidden":
      return callError("forbidden");
    case "exhausted":
      return callError("rateLimited", { retryAfter: Math.ceil(outcome.retryAfterMs / 1000) });
    case "unavailable":
      return callError("unavailable");
    default:
      return outcome satisfies never;
  }
}
