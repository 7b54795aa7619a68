import { decimal } from "../../../runtime/contract/index.ts";
import { generalLedgerId } from "../../domain/accounts.ts";
import { parseMoney } from "../../domain/money.ts";
import type { Charge, Movement } from "../../domain/transactions.ts";
import type { TransactionContent } from "../../domain/content-hashes.ts";

/** A transaction's document, as far as it says what moves. Anything may be missing from a damaged one. */
export interface ReadDocument {
  readonly [member: string]: unknown;
}

/** The document with its numbers as they are written; `undefined` if it is no JSON object. */
export function readDocument(transaction: TransactionContent): ReadDocument | undefined {
  try {
    const read: unknown = JSON.parse(
      transaction.documentJson,
      (_name, value: unknown, text?: { readonly source: string }) =>
        typeof value === "number" && text !== undefined ? text.source : value,
    );
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The differences between the document and the transaction's own columns. */
export function documentDifferences(
  transaction: TransactionContent,
  document: ReadDocument,
): readonly string[] {
  const amount = isObject(document["InstructedAmount"]) ? document["InstructedAmount"] : {};
  const currency = amount["Currency"];
  const pairs = [
    ["reference_id", document["ReferenceId"], transaction.referenceId],
    ["customer_id", document["CustomerId"], transaction.customerId],
    ["id", document["TransactionId"], transaction.id],
    ["currency", currency, transaction.currency],
    ["amount_minor", minorOf(amount["Amount"], currency), transaction.amountMinor],
  ] as const;
  return pairs.filter(([, recorded, stored]) => recorded !== stored).map(([column]) => column);
}

/**
 * The movement of the transaction when it is COMPLETED (`handlers/services/transactions/movement.ts`); `undefined` if
 * its document does not say it. `customerOf` gives whose the debtor's account is: fees are the debtor's where that is
 * the transaction's customer.
 */
export function movementFrom(
  transaction: TransactionContent,
  document: ReadDocument,
  customerOf: (accountId: string) => string | undefined,
): Movement | undefined {
  const { debtorAccountId, creditorAccountId, amountMinor, currency, customerId } = transaction;
  const fees = document["Fees"] ?? [];
  if (!Array.isArray(fees)) return undefined;
  const charges: Charge[] = [];
  for (const fee of fees) {
    const isDebtors = customerOf(debtorAccountId) === customerId;
    const of = chargesOf(fee, isDebtors ? debtorAccountId : creditorAccountId);
    if (of === undefined) return undefined;
    charges.push(...of);
  }
  return { debtorAccountId, creditorAccountId, amount: { amountMinor, currency }, charges };
}

function chargesOf(fee: unknown, chargedAccountId: string): readonly Charge[] | undefined {
  if (!isObject(fee)) return undefined;
  const currency = fee["Currency"];
  const amountMinor = minorOf(fee["Amount"], currency);
  const taxMinor = fee["Tax"] === undefined ? 0n : minorOf(fee["Tax"], currency);
  if (typeof currency !== "string" || amountMinor === undefined || taxMinor === undefined) return undefined;
  const charge = (purpose: "fee-income" | "tax-payable", minor: bigint): Charge => ({
    chargedAccountId,
    incomeAccountId: generalLedgerId(purpose, currency),
    amount: { amountMinor: minor, currency },
  });
  return [charge("fee-income", amountMinor), charge("tax-payable", taxMinor)];
}

function minorOf(text: unknown, currency: unknown): bigint | undefined {
  if (typeof text !== "string" || typeof currency !== "string") return undefined;
  try {
    const money = parseMoney(decimal(text), currency);
    return money.ok ? money.value.amountMinor : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is ReadDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
