import { scopesAllow } from "../../auth/scopes.ts";
import type { AuthenticatedCall } from "./authenticate.ts";
import type { FaultFactory } from "../../protocol/signed-envelope/fault.ts";

/** A call that its credential may make. */
export type AuthorizedCall = Omit<AuthenticatedCall, "scopes">;

/**
 * AuthenticatedCall → AuthorizedCall: the credential's scopes hold the method under one of its names (D-19). Which
 * objects is up to handlers.
 */
export function authorize(
  { scopes, ...call }: AuthenticatedCall,
  fault: FaultFactory,
  names: readonly string[],
): AuthorizedCall {
  if (!names.some((name) => scopesAllow(scopes, name))) throw fault("unauthorized");
  return call;
}
