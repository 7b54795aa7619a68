import type { JsonObject, JsonRpcFault } from "../contract/index.ts";

/** Why the service itself does not carry out a call. */
export interface CallError {
  readonly kind: "refused";
  readonly fault: JsonRpcFault;
  readonly data?: JsonObject;
  /** Values of `WWW-Authenticate`, one header line each. */
  readonly challenges?: readonly string[];
}

export function callError(fault: JsonRpcFault, data?: JsonObject): CallError {
  return data === undefined ? { kind: "refused", fault } : { kind: "refused", fault, data };
}
