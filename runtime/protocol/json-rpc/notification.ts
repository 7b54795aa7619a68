import type { JsonRpcInterfaceDescriptor } from "../../contract/index.ts";
import { ContractError } from "../contract-error.ts";
import { printNotification, printValue } from "./print.ts";
import { violationOf } from "./protocol.ts";
import { declaredValue } from "./values.ts";

/**
 * A message that the service sends by itself.
 * @throws ContractError where the interface does not declare it, or the params do not fit the spec.
 */
export function notificationText(
  { name, notifications = {} }: JsonRpcInterfaceDescriptor,
  method: string,
  params: object | undefined,
): string {
  const declared = Object.hasOwn(notifications, method) ? notifications[method] : undefined;
  if (declared === undefined) {
    const known = Object.keys(notifications).join(", ");
    throw new ContractError(
      `the ${name} interface declares no notification ${method}: ${known === "" ? "it has none" : `it has ${known}`}`,
    );
  }
  const { validate, plan } = declared;
  const sent = params === undefined ? undefined : printValue(declaredValue(params, plan));
  if (validate !== undefined && !validate(JSON.parse(sent ?? "{}"))) {
    const { field = "", reason } = violationOf(validate);
    throw new ContractError(`the params of ${method} do not fit the spec at "${field}" (${reason})`);
  }
  return printNotification(method, sent);
}
