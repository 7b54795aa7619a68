import type { Decimal } from "../../../runtime/contract/index.ts";
import { availableMinor, currencyOf, moneyDecimal } from "../../../runtime/domain/index.ts";
import type { ListedAccount } from "../../../runtime/ports/index.ts";

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
