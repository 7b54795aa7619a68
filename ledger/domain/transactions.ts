import type { Money } from "./money.ts";
import type { TransactionStatus } from "./records/accounts.ts";

/** One leg of an entry: what it adds to an account. Credit positive, debit negative. */
export interface Leg {
  readonly accountId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
}

/** Amounts that a transaction moves: money from debtor to creditor, and charges on one of them. */
export interface Movement {
  readonly debtorAccountId: string;
  readonly creditorAccountId: string;
  readonly amount: Money;
  readonly charges: readonly Charge[];
}

/** A fee or a tax on it: moves from the charged account to a general ledger account. */
export interface Charge {
  readonly chargedAccountId: string;
  readonly incomeAccountId: string;
  readonly amount: Money;
}

/** The legs of a movement. They sum to zero in every currency, because each move has both its sides. */
export function legsOf(movement: Movement): readonly Leg[] {
  return [
    ...move(movement.debtorAccountId, movement.creditorAccountId, movement.amount),
    ...movement.charges.flatMap((charge) =>
      move(charge.chargedAccountId, charge.incomeAccountId, charge.amount),
    ),
  ];
}

/** The amount on hold on the debtor's account while a movement is pending: all that it will be debited. */
export function heldMinor(movement: Movement): bigint {
  return movement.charges
    .filter((charge) => charge.chargedAccountId === movement.debtorAccountId)
    .reduce((sum, charge) => sum + charge.amount.amountMinor, movement.amount.amountMinor);
}

/** Sum of the legs for each account, in the order of first mention. */
export function netByAccount(legs: readonly Leg[]): ReadonlyMap<string, bigint> {
  const net = new Map<string, bigint>();
  for (const leg of legs) net.set(leg.accountId, (net.get(leg.accountId) ?? 0n) + leg.amountMinor);
  return net;
}

function move(fromAccountId: string, toAccountId: string, amount: Money): readonly Leg[] {
  if (amount.amountMinor === 0n) return [];
  return [
    { accountId: fromAccountId, currency: amount.currency, amountMinor: -amount.amountMinor },
    { accountId: toAccountId, currency: amount.currency, amountMinor: amount.amountMinor },
  ];
}

/** The effect of a state on the money: moved, held, or none. */
export type TransactionEffect = "post" | "hold" | "none";

/** The effect of each state (D-27): PENDING holds the debtor's amount, COMPLETED posts, the other four release. */
export const transactionEffects: Readonly<Record<TransactionStatus, TransactionEffect>> = {
  COMPLETED: "post",
  PENDING: "hold",
  FAILED: "none",
  DECLINED: "none",
  REJECTED: "none",
  CANCELLED: "none",
};

/** The effect of a requested state: PENDING goes to any one of the other five, which are final (D-27). */
export function transactionStatusChange(
  present: TransactionStatus,
  requested: TransactionStatus,
): "change" | "none" | "final" {
  if (present === requested) return "none";
  return present === "PENDING" ? "change" : "final";
}

/**
 * The values of all members named `Identification` in a JSON text, without their quotes. Inside a text of JSON every
 * quote has a backslash before it, so nothing else looks like one.
 */
const identifications = /("Identification"\s*:\s*")((?:[^"\\]|\\.)*)(?=")/g;

/** The JSON text with the value of every `Identification` (SSN or TIN of a party, section 2.7) put through `map`. */
export function mapIdentifications(json: string, map: (value: string) => string): string {
  if (!json.includes('"Identification"')) return json;
  return json.replaceAll(identifications, (_all, name: string, value: string) => name + map(value));
}
