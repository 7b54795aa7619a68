import { omitUndefined } from "../../../runtime/contract/index.ts";
import type { InstitutionRecord } from "../../../runtime/store/ports/index.ts";
import {
  type SqlDialect,
  type Reading,
  bindings,
  columnList,
  type Bindings,
} from "../../../runtime/store/sql/index.ts";
import { foldedIn, isAlways, isNever } from "./matches.ts";
import { knownKeys, takePage, type AccountKey, compareKeys, keyOf, beforeAll } from "./keys.ts";
import { mergedKeys } from "./merged.ts";
import type { AccountSearch } from "./search.ts";
import { filterKeys } from "./filter-keys.ts";
import { anyTime, creationRangeOf, sourcesOf, type Source } from "./sources.ts";
import { walk, walkByKey } from "./walks.ts";
import type { AccountQuery } from "../../domain/lists.ts";
import { accounts } from "../../tables/accounts.ts";
import { customers } from "../../tables/parties.ts";
import { afterPrefix } from "../../../runtime/store/common/index.ts";
import { listedAccount } from "./listed-account.ts";

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

/** More candidates than this are no better than walking: accounts that are so many are found soon. */
const candidatesMax = 4_000;
/** Customers of one name, or of names with one beginning. */
const customersMax = 200;

const columns = {
  id: { name: "id", index: "key" },
  number: { name: "number", index: "unique" },
  name: { name: "name", index: "accounts_by_name" },
  customerID: { name: "customer_id", index: "accounts_by_customer" },
} as const;

/** All accounts that the sources give, in order, each once; nothing if they are too many. */
function* candidatesOf<SqlValue>(
  { institutionId }: AccountSearch,
  sources: readonly Source[],
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[] | undefined> {
  const found = new Map<string, AccountKey>();
  for (const source of sources) {
    const single = yield* accountSources(institutionId, source, dialect);
    if (single === undefined) return undefined;
    for (const each of single) {
      const { name, index } = columns[each.field];
      const from = `accounts ${dialect.through(accounts, index)}`;
      const limit = candidatesMax - found.size + 1;
      const rows = yield* inRange("created_at, id", from, name, { ...each, institutionId, limit }, dialect);
      for (const key of rows.map(keyOf)) found.set(key.id, key);
      if (found.size > candidatesMax) return undefined;
    }
  }
  return [...found.values()].toSorted(compareKeys);
}

type AccountSource = Source & { readonly field: keyof typeof columns };

/** A name of customers stands for those customers; nothing if they are too many. */
function* accountSources<SqlValue>(
  institutionId: string,
  { field, op, value }: Source,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountSource[] | undefined> {
  if (field !== "customerName") return [{ field, op, value }];
  const from = `customers ${dialect.through(customers, "customers_by_name")}`;
  const asked = { op, value, institutionId, limit: customersMax + 1 };
  const rows = yield* inRange("id", from, "name", asked, dialect);
  if (rows.length > customersMax) return undefined;
  return rows.map(([id]) => ({ field: "customerID", op: "=", value: String(id) }));
}

function* inRange<SqlValue>(
  select: string,
  from: string,
  column: string,
  asked: Pick<Source, "op" | "value"> & { readonly institutionId: string; readonly limit: number },
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly (readonly SqlValue[])[]> {
  const { values, bind, limitTo } = bindings(dialect);
  const { op, value, institutionId, limit } = asked;
  const terms = [`institution_id = ${bind("text", institutionId)}`];
  const end = op === "prefix" ? afterPrefix(value) : undefined;
  terms.push(`${column} ${op === "prefix" ? ">=" : "="} ${bind("text", value)}`);
  if (end !== undefined) terms.push(`${column} < ${bind("text", end)}`);
  const sql = `SELECT ${select} FROM ${from} WHERE ${terms.join(" AND ")} ${limitTo(limit)}`;
  return yield { sql, values };
}

/** The columns shown of an account, the name of its customer and the name of its institution. */
type ListedRow<SqlValue> = readonly SqlValue[];

const portion = 100;

/**
 * The accounts with these keys, in their order, with the names that a summary shows. `isRun`: no other account of the
 * institution lies between them in the state that is read.
 */
function* listedAccounts<SqlValue>(
  institution: InstitutionRecord,
  keys: readonly AccountKey[],
  isRun: boolean,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly ListedRow<SqlValue>[]> {
  const listed: ListedRow<SqlValue>[] = [];
  for (let at = 0; at < keys.length; at += portion) {
    const bound = bindings(dialect);
    const name = bound.bind("text", institution.name);
    const institutionId = bound.bind("text", institution.id);
    const wanted = keys.slice(at, at + portion);
    const isWanted = isRun ? between(wanted, bound) : dialect.isOneOf("a.id", idsOf(wanted, bound));
    const rows = yield {
      sql:
        `SELECT ${columnList(listedAccount, "a")}, c.name, ${name} FROM accounts a ` +
        `${dialect.through(accounts, isRun ? "accounts_by_creation" : "key")} ` +
        "JOIN customers c ON c.institution_id = a.institution_id AND c.id = a.customer_id " +
        `WHERE a.institution_id = ${institutionId} AND ${isWanted} ` +
        "ORDER BY a.created_at, a.id",
      values: bound.values,
    };
    listed.push(...rows);
  }
  return listed;
}

function idsOf<SqlValue>(keys: readonly AccountKey[], { bind }: Bindings<SqlValue>): string {
  return bind("json", JSON.stringify(keys.map(({ id }) => id)));
}

/** From the first to the last: they lie side by side in the index, and come in order. */
function between<SqlValue>(keys: readonly AccountKey[], { bind }: Bindings<SqlValue>): string {
  const [first = beforeAll, last = first] = [keys[0], keys.at(-1)];
  const place = ({ createdAt, id }: AccountKey): string =>
    `(${bind("time", createdAt)}, ${bind("text", id)})`;
  return `(a.created_at, a.id) >= ${place(first)} AND (a.created_at, a.id) <= ${place(last)}`;
}
