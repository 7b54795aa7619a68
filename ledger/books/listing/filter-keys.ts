import { bindings, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { keyOf, type AccountKey, type KeySource, type PageTaker } from "./keys.ts";
import { filterSql, type AccountFilter } from "./search.ts";

/** Keys per step. */
const keysPerStep = 500;

/** Takes those keys of a source whose accounts fit, in order, until the page is full. */
export function* filterKeys<SqlValue>(
  filter: AccountFilter,
  source: KeySource<SqlValue>,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  const isOpen = filter.condition === undefined && filter.customerIds === undefined;
  while (page.missing() > 0) {
    const keys = yield* source.next(isOpen ? Math.min(page.missing(), keysPerStep) : keysPerStep);
    if (keys.length === 0) return;
    page.take(isOpen ? keys : yield* matchingKeys(filter, keys, dialect));
  }
}

function* matchingKeys<SqlValue>(
  filter: AccountFilter,
  keys: readonly AccountKey[],
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  const bound = bindings(dialect);
  const institution = bound.bind("text", filter.institutionId);
  const ids = bound.bind("json", JSON.stringify(keys.map(({ id }) => id)));
  const { from, and } = filterSql(filter, "key", bound, dialect);
  const rows = yield {
    sql:
      `SELECT a.created_at, a.id FROM ${from} ` +
      `WHERE a.institution_id = ${institution} AND ${dialect.isOneOf("a.id", ids)}${and} ` +
      "ORDER BY a.created_at, a.id",
    values: bound.values,
    rowsRead: keys.length,
    passing: true,
  };
  return rows.map(keyOf);
}
