import type { RpcError, RpcErrorDetail } from "../../../runtime/contract/index.ts";
import type { Rules } from "../../domain/rules.ts";

/** The documented interface: devices register and events are subscribed there. */
export const documentedRealm = "ledger";
/** Operators are managed by local commands: no request sees another one, and none adds one. */
export const operatorRealm = "operator";

/** Throws CONFLICT while the partner's interface is off: an invitation's link would lead nowhere. */
export function requirePartnerInterface(context: {
  readonly rules: Rules;
  error(code: "CONFLICT", detail: RpcErrorDetail<never>): RpcError;
}): void {
  if (context.rules.partnerInterface !== "off") return;
  const message = "the partner interface is off; the setting partner.interface turns it on";
  throw context.error("CONFLICT", { reason: "partner-interface-off", data: { message } });
}
