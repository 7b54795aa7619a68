import { type RpcError, type RpcErrorDetail, omitUndefined } from "../../../../runtime/contract/index.ts";
import { parseFilter } from "../../../domain/filter/index.ts";
import { TooManyRowsError } from "../../../../runtime/store/ports/index.ts";
import type { ReadContext } from "../../../../runtime/pipeline/index.ts";
import { accountPage } from "../../../books/listing/index.ts";
import type { AccountListing, AccountQuery } from "../../../domain/lists.ts";

/** Paging of D-31: this many accounts where the caller does not say, and at most this many. */
const pageSize = { standard: 15, max: 100 };

type Context<PageField extends string> = Pick<ReadContext, "store" | "caller"> & {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/filter" | PageField>): RpcError;
};

export interface AccountsAsked<PageField extends string> {
  readonly filter: string | undefined;
  readonly pageNumber: number | undefined;
  readonly pageSize: number | undefined;
  /** Where the request has the page number. */
  readonly pageField: PageField;
}

/** A page of the accounts that the caller may see, oldest first. Throws BAD_INPUT where finding it is too expensive. */
export async function accountsPage<PageField extends string>(
  context: Context<PageField>,
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
