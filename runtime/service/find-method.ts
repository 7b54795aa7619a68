import type { JsonRpcInterfaceDescriptor, JsonRpcMethodDescriptor } from "../contract/index.ts";
import type { DecodedCall } from "../protocol/json-rpc/index.ts";
import { callError, type CallError } from "./call-error.ts";

export interface FoundMethod {
  readonly kind: "found";
  readonly method: JsonRpcMethodDescriptor;
}

/** The method of a call, where the call may be a notification as far as it is one (section 4.1). */
export function findMethod(
  { methods }: JsonRpcInterfaceDescriptor,
  { method: name, id }: DecodedCall,
): FoundMethod | CallError {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) return callError("methodNotFound");
  if (id === undefined && method.notify === "never")
    return callError("invalidRequest", { reason: "notification-not-allowed" });
  if (id !== undefined && method.notify === "only")
    return callError("invalidRequest", { reason: "notification-only" });
  return { kind: "found", method };
}
