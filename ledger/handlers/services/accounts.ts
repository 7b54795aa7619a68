import type { AccountRecord, AccountStatus } from "../../domain/records/accounts.ts";
import { newAccountNumber, statusChange } from "../../domain/accounts.ts";
import type { WriteContext, ReadContext } from "../../../runtime/pipeline/index.ts";
import { accountByNumber, accounts, hasPendingCredit } from "../../tables/index.ts";
import { type RpcError, type RpcErrorDetail, omitUndefined } from "../../../runtime/contract/index.ts";
import type { Rules } from "../../domain/rules.ts";
import { publishAccountStatus } from "./publish.ts";
import { auditAccount } from "./audit.ts";
import { parseFilter } from "../../domain/filter/index.ts";
import { TooManyRowsError } from "../../../runtime/store/ports/index.ts";
import { accountPage } from "../../books/listing/index.ts";
import type { AccountListing, AccountQuery } from "../../domain/lists.ts";

/** The fields that open an account. */
type AccountOpening = Pick<
  AccountRecord,
  "id" | "institutionId" | "customerId" | "name" | "number" | "type" | "currency" | "glAccount" | "createdAt"
> &
  Partial<AccountRecord>;

/** An account as it is opened: ACTIVE and empty, with nothing switched on that was not asked for. */
export function newAccount(opening: AccountOpening): AccountRecord {
  return {
    nickName: "",
    status: "ACTIVE",
    category: "",
    ledgerMinor: 0n,
    holdMinor: 0n,
    preAuthMinor: 0n,
    minimumMinor: 0n,
    subLedgerCode: "",
    tags: [],
    final: false,
    legalRepIds: [],
    demandDeposit: opening.type === "CHECKING",
    address: {},
    verified: false,
    minimumRouteApprovers: 0,
    newRouteAlert: false,
    ceTransactionNumber: "",
    accountLevel: "PRIMARY",
    accountFinderSync: false,
    glVerified: false,
    shadow: false,
    sweep: false,
    program: "",
    productId: "",
    externalLedger: false,
    updatedAt: opening.createdAt,
    ...opening,
  };
}

const drawsMax = 20;

/** A new account number that the institution does not use yet (D-30): seeded foreign numbers are stepped around. */
export async function unusedAccountNumber(
  context: Pick<WriteContext, "store" | "ids" | "caller">,
): Promise<string> {
  for (let draw = 0; draw < drawsMax; draw += 1) {
    const number = newAccountNumber(context.ids);
    const taken = await context.store.one(accountByNumber, context.caller.institutionId, number);
    if (taken === undefined) return number;
  }
  throw new Error(`no unused account number in ${drawsMax} draws`);
}

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

/** Beneficiaries that one legal representative may have on one account: ListBeneficiary has no pages (D-34). */
export const beneficiariesMax = 1_000;
/** Bytes of the request that adds one: ListBeneficiary answers with all of them at once. */
export const beneficiaryBytesMax = 4_096;

/** Paging of D-31: this many accounts where the caller does not say, and at most this many. */
const pageSize = { standard: 15, max: 100 };

type PageContext<PageField extends string> = Pick<ReadContext, "store" | "caller"> & {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/filter" | PageField>): RpcError;
};

interface AccountsAsked<PageField extends string> {
  readonly filter: string | undefined;
  readonly pageNumber: number | undefined;
  readonly pageSize: number | undefined;
  /** Where the request has the page number. */
  readonly pageField: PageField;
}

/** A page of the accounts that the caller may see, oldest first. Throws BAD_INPUT where finding it is too expensive. */
export async function accountsPage<PageField extends string>(
  context: PageContext<PageField>,
  asked: AccountsAsked<PageField>,
): Promise<readonly AccountListing[]> {
  const filter = parseFilter(asked.filter ?? "");
  if (!filter.ok) {
    const { column, message } = filter.fault;
    throw context.error("BAD_INPUT", { field: "/filter", reason: "filter", data: { column, message } });
  }

  const limit = Math.min(asked.pageSize ?? pageSize.standard, pageSize.max);
  const query: AccountQuery = {
    institutionId: context.caller.institutionId,
    askedBy: context.caller.userName,
    ...omitUndefined({ customerIds: context.caller.groups, condition: filter.value }),
    offset: Math.min(((asked.pageNumber ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER),
    limit,
  };
  return context.store.page(accountPage(query)).catch((error: unknown) => {
    throw error instanceof TooManyRowsError
      ? context.error("BAD_INPUT", tooExpensive(query, asked.pageField, error))
      : error;
  });
}

/** The error that names the part to narrow, and the fields to narrow it by: those have an index. */
function tooExpensive<PageField extends string>(
  { condition, offset }: AccountQuery,
  pageField: PageField,
  cause: TooManyRowsError,
): RpcErrorDetail<"/filter" | PageField> {
  if (condition === undefined) {
    const message = `page is too far: ${offset} accounts lie before it; use larger pages, or narrow the list by a filter on createdDate`;
    return { field: pageField, reason: "page-too-far", data: { message }, cause };
  }
  const message =
    `finding this page takes looking at more than ${cause.rowsMax} accounts; narrow the filter with AND: ` +
    "a time of creation (createdDate >= ... AND createdDate < ...), a value or beginning of name, number or id, " +
    "or a customerID or customerName";
  return {
    field: "/filter",
    reason: "filter-too-expensive",
    data: { message, rowsMax: cause.rowsMax },
    cause,
  };
}
