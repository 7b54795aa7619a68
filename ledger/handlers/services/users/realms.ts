import type { RpcError, RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import type { Policy } from "../../../../runtime/service/handler-context.ts";

/** The documented interface: devices register and events are subscribed there. */
export const documentedRealm = "ledger";
/** Operators are managed by local commands: no request sees another one, and none adds one. */
export const operatorRealm = "operator";

interface Context {
  readonly policy: Policy;
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/interface">): RpcError;
}

/** The interface that a request names. Throws BAD_INPUT for one that is not served and for the operators' own. */
export function realmOf(context: Context, asked: string = documentedRealm): string {
  if (asked !== operatorRealm && context.policy.interfaces.includes(asked)) return asked;
  throw context.error("BAD_INPUT", { field: "/interface", reason: "unknown-interface" });
}
