import type { RpcError, RpcErrorDetail } from "../../../contract/index.ts";
import type { Policy, UserRecord } from "../../../ports/index.ts";

/** The documented interface: devices register and events are subscribed there. */
export const documentedRealm = "ledger";
const operatorRealm = "operator";

interface Context {
  readonly policy: Policy;
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/interface">): RpcError;
}

/** The interface that a request names. Throws BAD_INPUT for one that is not served and for the operators' own. */
export function realmOf(context: Context, asked: string = documentedRealm): string {
  if (asked !== operatorRealm && context.policy.interfaces.includes(asked)) return asked;
  throw context.error("BAD_INPUT", { field: "/interface", reason: "unknown-interface" });
}

/** Whether operators may see and change the user by requests: operators themselves are managed by a command. */
export function isManaged(user: UserRecord | undefined): user is UserRecord {
  return user !== undefined && user.realm !== operatorRealm;
}
