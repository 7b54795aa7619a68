import { accounts } from "../../tables/accounts.ts";
import { customers } from "../../tables/parties.ts";
import { afterPrefix } from "../../../runtime/store/common/index.ts";
import { bindings, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { compareKeys, keyOf, type AccountKey } from "./keys.ts";
import type { AccountSearch } from "./search.ts";
import type { Source } from "./sources.ts";

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
export function* candidatesOf<SqlValue>(
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
