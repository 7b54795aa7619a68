import { bindings, indexEntryRows, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, type AccountKey, type KeySource, type PageTaker } from "./keys.ts";
import type { AccountSearch } from "./search.ts";
import { filterKeys } from "./filter-keys.ts";
import { anyTime, creationRangeOf, type CreationRange } from "./sources.ts";

/**
 * Walks an institution's accounts in order through their index until the page is full. For databases without account
 * blocks, on whose counts writers would wait.
 */
export function* walkByKey<SqlValue>(
  search: AccountSearch,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  if (search.condition === undefined) return yield* openPage(search, page, dialect);
  const range = creationRangeOf(search.condition);
  yield* filterKeys(search, allKeys(search.institutionId, range, dialect), page, dialect);
}

/** A page of all accounts: from the last mark before it (`postgres/account-marks.ts`). */
function* openPage<SqlValue>(
  { institutionId, offset, limit }: AccountSearch,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  let start = beforeAll;
  let passed = 0;
  if (offset >= soughtFrom) {
    const mark = bindings(dialect);
    const [row] = yield {
      sql:
        `SELECT created_at, id, before FROM account_marks WHERE institution_id = ${mark.bind("text", institutionId)} ` +
        `AND before <= ${mark.bind("integer", offset)} ORDER BY before DESC LIMIT 1`,
      values: mark.values,
    };
    if (row !== undefined) {
      start = keyOf(row);
      passed = Number(row[2]);
    }
  }
  const { values, bind, limitTo } = bindings(dialect);
  const rows = yield {
    sql:
      `SELECT created_at, id FROM accounts WHERE institution_id = ${bind("text", institutionId)} ` +
      `AND (created_at, id) >= (${bind("time", start.createdAt)}, ${bind("text", start.id)}) ` +
      `ORDER BY created_at, id ${limitTo(limit)} OFFSET ${bind("integer", offset - passed)}`,
    values,
    rowsRead: limit * indexEntryRows,
  };
  page.skip(offset);
  page.take(rows.map(keyOf));
}

/** So many accounts are sooner passed over than a mark is looked for. */
const soughtFrom = 4_096;

/** The accounts of an institution that were created within a range of time, in order. */
function allKeys<SqlValue>(
  institutionId: string,
  range: CreationRange,
  dialect: SqlDialect<SqlValue>,
): KeySource<SqlValue> {
  let after: AccountKey = { createdAt: Math.max(range.from, anyTime.from + 1) - 1, id: lastId };
  const place = dialect.placeholder;
  const sql =
    `SELECT created_at, id FROM accounts WHERE institution_id = ${place(1)} ` +
    `AND (created_at, id) > (${place(2)}, ${place(3)}) AND created_at < ${place(4)} ` +
    `ORDER BY created_at, id LIMIT ${dialect.limit(place(5))}`;
  return {
    *next(wanted) {
      const rows = yield {
        sql,
        values: [
          dialect.toSql("text", institutionId),
          dialect.toSql("time", after.createdAt),
          dialect.toSql("text", after.id),
          dialect.toSql("time", range.until),
          dialect.toSql("integer", wanted),
        ],
        rowsRead: wanted * indexEntryRows,
      };
      const keys = rows.map(keyOf);
      after = keys.at(-1) ?? after;
      return keys;
    },
  };
}

/** Follows every identifier there is. */
const lastId = "\u{10ffff}";
