import type { Decimal } from "../../../../runtime/contract/index.ts";
import { parseMoney, type Money } from "../../../domain/money.ts";
import type { Charge, Movement } from "../../../domain/postings.ts";
import type { TransactionRecord } from "../../../domain/records/accounts.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import { documentOf } from "../../presenters/transaction.ts";
import { generalLedgerAccount } from "./general-ledger.ts";
import type { TransactionSides } from "./transaction-sides.ts";

type Context = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit">;

/**
 * The movement of a recorded transaction: its amount from debtor to creditor, and fees with their taxes from the
 * customer's side to the bank's accounts. The customer's side is the debtor's, where both are the customer's.
 */
export async function movementOf(
  context: Context,
  transaction: TransactionRecord,
  { debtor, creditor }: TransactionSides,
): Promise<Movement> {
  const { amountMinor, currency, customerId } = transaction;
  const charged = debtor.customerId === customerId ? debtor : creditor;
  const fees = documentOf(transaction).Fees;
  const hasTax = fees.some(({ Tax }) => Tax !== undefined);
  // Fees are in the currency of the transaction: one account each for all of them.
  const income = fees.length > 0 ? await generalLedgerAccount(context, "fee-income", currency) : undefined;
  const payable = hasTax ? await generalLedgerAccount(context, "tax-payable", currency) : undefined;
  const charge = (incomeAccountId: string, amount: Decimal): Charge => ({
    chargedAccountId: charged.id,
    incomeAccountId,
    amount: storedMoney(amount, currency),
  });
  return {
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    amount: { amountMinor, currency },
    charges: fees.flatMap(({ Amount, Tax }) => [
      ...(income === undefined ? [] : [charge(income.id, Amount)]),
      ...(payable === undefined || Tax === undefined ? [] : [charge(payable.id, Tax)]),
    ]),
  };
}

function storedMoney(amount: Decimal, currency: string): Money {
  const money = parseMoney(amount, currency);
  if (!money.ok) throw new Error(`a stored amount is no money: ${money.fault}`);
  return money.value;
}
