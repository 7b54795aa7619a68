import type { LedgerVerification } from "../../ports/index.ts";
import { compareCodePoints } from "../condition/code-points.ts";
import { accounts, postings } from "../tables/index.ts";
import { keyText } from "./rows.ts";
import type { StateReader } from "./state.ts";

/** Re-derives every balance from its postings. */
export function verifyLedger(state: StateReader): LedgerVerification {
  const all = [...state.rows(postings).byKey.values()].map((row) => postings.decode(row));
  const byAccount = new Map<string, bigint>();
  const byCurrency = new Map<string, bigint>();
  for (const { institutionId, accountId, currency, amountMinor } of all) {
    add(byAccount, keyText([institutionId, accountId]), amountMinor);
    add(byCurrency, currency, amountMinor);
  }
  const differences = [...state.rows(accounts).byKey]
    .map(([key, row]) => {
      const { id, ledgerMinor } = accounts.decode(row);
      return { accountId: id, storedMinor: ledgerMinor, derivedMinor: byAccount.get(key) ?? 0n };
    })
    .filter(({ storedMinor, derivedMinor }) => storedMinor !== derivedMinor);
  return {
    accounts: state.rows(accounts).byKey.size,
    postings: all.length,
    sums: [...byCurrency]
      .map(([currency, sumMinor]) => ({ currency, sumMinor }))
      .toSorted((left, right) => compareCodePoints(left.currency, right.currency)),
    differences,
  };
}

function add(sums: Map<string, bigint>, key: string, amountMinor: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amountMinor);
}
