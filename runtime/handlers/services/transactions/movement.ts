import type { Fee } from "../../../../generated/ledger/types.ts";
import type { Decimal } from "../../../contract/index.ts";
import { parseMoney, type Charge, type Money, type Movement } from "../../../domain/index.ts";
import type { TransactionRecord, WriteContext } from "../../../ports/index.ts";
import { documentOf } from "../../presenters/transaction.ts";
import { generalLedgerAccount } from "./general-ledger.ts";
import type { TransactionSides } from "./transaction-sides.ts";

type Context = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit">;

/**
 * The movement of a recorded transaction: its amount from debtor to creditor, and its fees and their taxes from the
 * customer's side to the bank's own accounts. The customer's side is the debtor's, where both are the customer's.
 */
export async function movementOf(
  context: Context,
  transaction: TransactionRecord,
  { debtor, creditor }: TransactionSides,
): Promise<Movement> {
  const { amountMinor, currency, customerId } = transaction;
  const charged = debtor.customerId === customerId ? debtor : creditor;
  const charges: Charge[] = [];
  for (const fee of documentOf(transaction).Fees)
    charges.push(...(await chargesOf(context, fee, charged.id)));
  return {
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    amount: { amountMinor, currency },
    charges,
  };
}

async function chargesOf(context: Context, fee: Fee, chargedAccountId: string): Promise<readonly Charge[]> {
  const income = await generalLedgerAccount(context, "fee-income", fee.Currency);
  const charge: Charge = {
    chargedAccountId,
    incomeAccountId: income.id,
    amount: storedMoney(fee.Amount, fee.Currency),
  };
  if (fee.Tax === undefined) return [charge];
  const payable = await generalLedgerAccount(context, "tax-payable", fee.Currency);
  return [
    charge,
    { chargedAccountId, incomeAccountId: payable.id, amount: storedMoney(fee.Tax, fee.Currency) },
  ];
}

function storedMoney(amount: Decimal, currency: string): Money {
  const money = parseMoney(amount, currency);
  if (!money.ok) throw new Error(`a stored amount is no money: ${money.fault}`);
  return money.value;
}
