import { omitUndefined } from "../../../runtime/contract/index.ts";
import type { InstitutionRecord } from "../../../runtime/store/ports/index.ts";
import type { SqlDialect, Reading } from "../../../runtime/store/sql/index.ts";
import { candidatesOf } from "./candidates.ts";
import { foldedIn, isAlways, isNever } from "./constant-condition.ts";
import { knownKeys, takePage, type AccountKey } from "./keys.ts";
import { listedAccounts, type ListedRow } from "./listed.ts";
import { mergedKeys } from "./merged.ts";
import type { AccountSearch } from "./search.ts";
import { filterKeys } from "./filter-keys.ts";
import { anyTime, creationRangeOf, sourcesOf, type Source } from "./sources.ts";
import { walk } from "./walk-by-block.ts";
import { walkByKey } from "./walk-by-key.ts";
import type { AccountQuery } from "../../domain/lists.ts";

/**
 * A page of accounts with the names that a summary shows, by creation, then id (D-31). Each step looks at few rows.
 *
 * - Indexes give few candidates: they are sorted and looked at.
 * - The accounts of some customers are merged from an index that has each customer's in order.
 * - Blocks of accounts are walked in order, past those that hold none that fits.
 */
export function* accountListing<SqlValue>(
  query: AccountQuery,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly ListedRow<SqlValue>[]> {
  const { institutionId, customerIds, limit, offset } = query;
  const institution = yield* institutionOf(institutionId, dialect);
  if (institution === undefined || customerIds?.length === 0 || limit === 0) return [];
  const condition = query.condition === undefined ? undefined : foldedIn(query.condition, institution);
  if (condition !== undefined && isNever(condition)) return [];
  const search: AccountSearch = omitUndefined({
    institutionId,
    offset,
    limit,
    customerIds: customerIds === undefined ? undefined : [...new Set(customerIds)],
    condition: condition !== undefined && !isAlways(condition) ? condition : undefined,
  });
  const keys = yield* pageOf(search, dialect);
  const isRun = hasBlocks(dialect) && search.condition === undefined && search.customerIds === undefined;
  return yield* listedAccounts(institution, keys, isRun, dialect);
}

function* pageOf<SqlValue>(
  search: AccountSearch,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  const { institutionId, condition } = search;
  const page = takePage(search.offset, search.limit);
  const sources = condition === undefined ? undefined : sourcesOf(condition);
  const customerIds = customersOf(search, sources);
  const isByCustomer = sources?.every(isCustomer) === true;
  const candidates =
    sources === undefined || isByCustomer ? undefined : yield* candidatesOf(search, sources, dialect);
  if (candidates !== undefined) {
    yield* filterKeys(search, knownKeys(candidates), page, dialect);
  } else if (customerIds !== undefined) {
    const range = condition === undefined ? anyTime : creationRangeOf(condition);
    const isSettled = condition?.kind === "text" && isByCustomer;
    const rest = omitUndefined({
      institutionId,
      condition: condition !== undefined && !isSettled ? condition : undefined,
    });
    yield* filterKeys(rest, mergedKeys(institutionId, customerIds, range, dialect), page, dialect);
  } else {
    yield* hasBlocks(dialect) ? walk(search, page, dialect) : walkByKey(search, page, dialect);
  }
  return page.keys;
}

/** The customers that an account must be one of; absent: any. */
function customersOf(
  { customerIds }: AccountSearch,
  sources: readonly Source[] | undefined,
): readonly string[] | undefined {
  if (sources === undefined || !sources.every(isCustomer)) return customerIds;
  const named = new Set(sources.map(({ value }) => value));
  return [...named].filter((id) => customerIds?.includes(id) ?? true);
}

function isCustomer({ field, op }: Source): boolean {
  return field === "customerID" && op === "=";
}

function* institutionOf<SqlValue>(
  id: string,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, InstitutionRecord | undefined> {
  const [row] = yield {
    sql: `SELECT name FROM institutions WHERE id = ${dialect.placeholder(1)}`,
    values: [dialect.toSql("text", id)],
  };
  return row === undefined ? undefined : { id, name: String(row[0]) };
}

/** SQLite keeps blocks of accounts, with their counts and kinds, for lists to skip by. */
function hasBlocks({ name }: Pick<SqlDialect<unknown>, "name">): boolean {
  return name === "sqlite";
}
