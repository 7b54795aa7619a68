import type { Decimal } from "../../../runtime/contract/index.ts";
import { availableMinor } from "../../domain/balances.ts";
import { currencyOf } from "../../domain/currency.ts";
import { moneyDecimal } from "../../domain/money.ts";
import type { ListedAccount } from "../../domain/lists.ts";

/** The currency and the balances of an account as the interface writes them (D-37). */
export function accountBalances(account: ListedAccount) {
  const amount = (amountMinor: bigint): Decimal => moneyDecimal({ amountMinor, currency: account.currency });
  return {
    balance: amount(availableMinor(account)),
    holdBalance: amount(account.holdMinor),
    ledgerBalance: amount(account.ledgerMinor),
    preAuthBalance: amount(account.preAuthMinor),
    currency: account.currency,
    currencyCode: currencyOf(account.currency)?.numericCode ?? "",
  };
}
