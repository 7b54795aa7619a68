import type { JsonRpcInterfaceDescriptor, JsonRpcMethodDescriptor } from "../../runtime/contract/index.ts";
import type { DecodedCall } from "../codec/index.ts";
import { refuse, type Refusal } from "./refusal.ts";

export interface FoundMethod {
  readonly kind: "found";
  readonly method: JsonRpcMethodDescriptor;
}

/** The method of a call, where the call may be a notification as far as it is one (section 4.1). */
export function findMethod(
  { methods }: JsonRpcInterfaceDescriptor,
  { method: name, id }: DecodedCall,
): FoundMethod | Refusal {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) return refuse("methodNotFound");
  if (id === undefined && method.notify === "never")
    return refuse("invalidRequest", { reason: "notification-not-allowed" });
  if (id !== undefined && method.notify === "only")
    return refuse("invalidRequest", { reason: "notification-only" });
  return { kind: "found", method };
}
