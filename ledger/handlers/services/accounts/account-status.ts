import type { RpcError, RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import { statusChange } from "../../../domain/account-status.ts";
import type { AccountRecord, AccountStatus } from "../../../domain/records/accounts.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import type { Rules } from "../../../domain/rules.ts";
import { publishAccountStatus } from "../publish.ts";
import { auditAccount } from "../audit.ts";
import { accounts, hasPendingCredit } from "../../../tables/index.ts";

type Context = Pick<WriteContext, "store" | "clock" | "events" | "audit"> & {
  readonly rules: Rules;
  error(code: "CONFLICT", detail?: RpcErrorDetail<"/status">): RpcError;
};

/**
 * Changes an account's status and publishes the change. Setting the present status succeeds without an event (D-25).
 * Throws `CONFLICT` where `accounts.closing` requires a settled account and this one is not (D-55).
 */
export async function changeAccountStatus(
  context: Context,
  account: AccountRecord,
  status: AccountStatus,
): Promise<void> {
  const change = statusChange(account.status, status, context.rules);
  if (change === "closed-is-final") throw context.error("CONFLICT", { field: "/status", reason: change });
  if (change === "none") return;
  if (status === "CLOSED" && context.rules.closing === "settled" && !(await isSettled(context, account))) {
    throw context.error("CONFLICT", { field: "/status", reason: "not-settled" });
  }
  const changed = { ...account, status, updatedAt: context.clock.now() };
  await context.store.replace(accounts, changed, account);
  await auditAccount(context, account, changed);
  await publishAccountStatus(context, changed);
}

/** Whether the account has no balance, no hold and no pending transaction. */
async function isSettled({ store }: Pick<Context, "store">, account: AccountRecord): Promise<boolean> {
  const { institutionId, id, ledgerMinor, holdMinor, preAuthMinor } = account;
  if (ledgerMinor !== 0n || holdMinor !== 0n || preAuthMinor !== 0n) return false;
  return !(await hasPendingCredit(store, institutionId, id));
}
