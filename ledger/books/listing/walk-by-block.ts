import { accounts } from "../../tables/accounts.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { bindings, indexEntryRows, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, type AccountKey, type PageTaker } from "./keys.ts";
import { filterSql, type AccountSearch } from "./search.ts";
import { anyTime, creationRangeOf } from "./sources.ts";
import { zoneOf } from "./block-kinds.ts";

/** Accounts that are next to each other in the order of lists: those from its start up to the next block's. */
interface Block {
  readonly start: AccountKey;
  /** How many there are. */
  readonly accounts: number;
  /** Where the next one starts; absent: it is the last. */
  readonly end?: AccountKey;
}

/** Blocks read at once. */
const blocksAtOnce = 64;
/** So many accounts are sooner skipped than sought. */
const soughtFrom = 4_096;

/** Walks all accounts of an institution in order, block by block, until the page is full. */
export function* walk<SqlValue>(
  search: AccountSearch,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  if (search.condition === undefined) return yield* openPage(search, page, dialect);
  for (let after = beforeAll; ;) {
    const blocks = yield* blocksAfter(search, after, dialect);
    for (const block of blocks) {
      page.take(yield* fittingIn(search, block, page.missing(), dialect));
      if (page.missing() === 0) return;
      after = block.start;
    }
    if (blocks.length < blocksAtOnce) return;
  }
}

/** A page of all accounts: the block that it begins in is known by counting those before. */
function* openPage<SqlValue>(
  { institutionId, offset, limit }: AccountSearch,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  let start = beforeAll;
  if (offset >= soughtFrom) {
    const { values, bind } = bindings(dialect);
    const [row] = yield {
      sql:
        "SELECT created_at, id, before FROM (SELECT created_at, id, " +
        "sum(accounts) OVER (ORDER BY created_at, id) - accounts AS before " +
        `FROM account_blocks WHERE institution_id = ${bind("text", institutionId)}) AS counted ` +
        `WHERE before <= ${bind("integer", offset)} ORDER BY created_at DESC, id DESC LIMIT 1`,
      values,
    };
    if (row === undefined) return;
    start = keyOf(row);
    page.skip(Number(row[2]));
  }
  const skipped = page.missing() - limit;
  // Blocks are small: what lies further beyond the last one's start than this is past the end.
  if (skipped > pastTheEnd) return;
  const { values, bind, limitTo } = bindings(dialect);
  const rows = yield {
    sql:
      `SELECT created_at, id FROM accounts ${dialect.through(accounts, "accounts_by_creation")} ` +
      `WHERE institution_id = ${bind("text", institutionId)} ` +
      `AND (created_at, id) >= (${bind("time", start.createdAt)}, ${bind("text", start.id)}) ` +
      `ORDER BY created_at, id ${limitTo(limit)} OFFSET ${bind("integer", skipped)}`,
    values,
    rowsRead: (limit + skipped) * indexEntryRows,
  };
  page.skip(skipped);
  page.take(rows.map(keyOf));
}

const pastTheEnd = 10 * soughtFrom;

/** The next blocks that may hold accounts that fit. */
function* blocksAfter<SqlValue>(
  { institutionId, condition }: AccountSearch,
  after: AccountKey,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly Block[]> {
  const { values, bind, limitTo } = bindings(dialect);
  const { from, until } = condition === undefined ? anyTime : creationRangeOf(condition);
  const zone = condition === undefined ? undefined : zoneOf(condition);
  const sql =
    "SELECT created_at, id, accounts, end_at, end_id FROM (SELECT created_at, id, accounts, kinds, " +
    "lead(created_at) OVER places AS end_at, lead(id) OVER places AS end_id FROM account_blocks " +
    `WHERE institution_id = ${bind("text", institutionId)} WINDOW places AS (ORDER BY created_at, id)) AS placed ` +
    `WHERE (created_at, id) > (${bind("time", after.createdAt)}, ${bind("text", after.id)}) ` +
    `AND created_at < ${bind("time", until)} AND (end_at IS NULL OR end_at >= ${bind("time", from)})` +
    (zone === undefined ? "" : ` AND ${zone((text) => bind("text", text))}`) +
    ` ORDER BY created_at, id ${limitTo(blocksAtOnce)}`;
  const rows = yield { sql, values, passing: true };
  return rows.map((row) => {
    const [, , accounts, endAt, endId] = row;
    const isLast = endAt === null;
    return omitUndefined({
      start: keyOf(row),
      accounts: Number(accounts),
      end: isLast ? undefined : keyOf([endAt, endId]),
    });
  });
}

function* fittingIn<SqlValue>(
  search: AccountSearch,
  { start, accounts, end }: Block,
  wanted: number,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  const bound = bindings(dialect);
  const { bind, limitTo } = bound;
  const within = [
    `a.institution_id = ${bind("text", search.institutionId)}`,
    `(a.created_at, a.id) >= (${bind("time", start.createdAt)}, ${bind("text", start.id)})`,
    ...(end === undefined
      ? []
      : [`(a.created_at, a.id) < (${bind("time", end.createdAt)}, ${bind("text", end.id)})`]),
  ];
  const { from, and } = filterSql(search, "accounts_by_creation", bound, dialect);
  const rows = yield {
    sql:
      `SELECT a.created_at, a.id FROM ${from} WHERE ${within.join(" AND ")}${and} ` +
      `ORDER BY a.created_at, a.id ${limitTo(Math.min(wanted, accounts))}`,
    values: bound.values,
    rowsRead: accounts,
    passing: true,
  };
  return rows.map(keyOf);
}
