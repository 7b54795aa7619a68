import type { AccountRecord } from "./records/accounts.ts";

/** The amount that an account can still spend: `balance = ledgerBalance − holdBalance − preAuthBalance` (D-37). Minor units. */
export function availableMinor(
  account: Pick<AccountRecord, "ledgerMinor" | "holdMinor" | "preAuthMinor">,
): bigint {
  return account.ledgerMinor - account.holdMinor - account.preAuthMinor;
}
