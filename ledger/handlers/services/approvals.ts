import type { RecordTransactionPayload } from "../../../generated/operator/types.ts";
import type { RpcError } from "../../../runtime/contract/index.ts";
import { moneyDecimal, parseMoney } from "../../domain/money.ts";
import type { BankContext } from "../../domain/rules.ts";

interface Context extends BankContext {
  error(code: "APPROVAL_NEEDED"): RpcError;
}

/** Throws APPROVAL_NEEDED where the settings want a second operator for such a change, and none has approved it. */
export function requireApproval(context: Context, of: "credentials" | "accounts"): void {
  if (context.rules.approvals?.[of] === true && context.approval === undefined)
    throw context.error("APPROVAL_NEEDED");
}

/** The same for the key of a user: operators change their own alone. */
export function requireApprovalForKey(
  context: Context & { readonly caller: { readonly userName: string } },
  userName: string,
): void {
  if (userName !== context.caller.userName) requireApproval(context, "credentials");
}

/** The same for money that is about to move: the amount of a transaction with its fees and their taxes. */
export function requireApprovalOfMovement(
  context: Context,
  { InstructedAmount, Fees = [] }: Pick<RecordTransactionPayload, "InstructedAmount" | "Fees">,
): void {
  const above = context.rules.approvals?.moneyAbove;
  if (above === undefined || context.approval !== undefined) return;
  const currency = InstructedAmount.Currency;
  const amounts = [InstructedAmount.Amount, ...Fees.flatMap(({ Amount, Tax }) => [Amount, Tax ?? []].flat())];
  // What is no money is refused elsewhere.
  const moneys = amounts.map((amount) => parseMoney(amount, currency)).filter(({ ok }) => ok);
  const amountMinor = moneys.reduce((sum, money) => sum + (money.ok ? money.value.amountMinor : 0n), 0n);
  if (moneys.length > 0 && Number(moneyDecimal({ amountMinor, currency }).lexeme) > above)
    throw context.error("APPROVAL_NEEDED");
}
