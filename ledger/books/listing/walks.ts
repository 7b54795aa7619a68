import { accounts } from "../../tables/accounts.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { bindings, indexEntryRows, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, type AccountKey, type PageTaker, type KeySource } from "./keys.ts";
import { filterSql, type AccountSearch } from "./search.ts";
import { anyTime, creationRangeOf, type CreationRange } from "./sources.ts";
import { filterKeys } from "./filter-keys.ts";
import { accountStatuses, accountTypes } from "../../domain/accounts.ts";
import { allCurrencies } from "../../domain/money.ts";
import { textMatches } from "./matches.ts";
import type { AccountCondition } from "../../domain/lists.ts";

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
/** So many accounts are sooner passed over than a block or a mark is looked for. */
const soughtFrom = 4_096;

/** Walks all accounts of an institution in order, block by block, until the page is full. */
export function* walk<SqlValue>(
  search: AccountSearch,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  if (search.condition === undefined) return yield* openPageByBlocks(search, page, dialect);
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
function* openPageByBlocks<SqlValue>(
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

/**
 * Walks an institution's accounts in order through their index until the page is full. For databases without account
 * blocks, on whose counts writers would wait.
 */
export function* walkByKey<SqlValue>(
  search: AccountSearch,
  page: PageTaker,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, void> {
  if (search.condition === undefined) return yield* openPageByMarks(search, page, dialect);
  const range = creationRangeOf(search.condition);
  yield* filterKeys(search, allKeys(search.institutionId, range, dialect), page, dialect);
}

/** A page of all accounts: from the last mark before it (`account-marks.ts`). */
function* openPageByMarks<SqlValue>(
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

/** The `kinds` of a block of accounts: the values of these fields that its accounts have. */
type ZoneField = "status" | "accountType" | "accountCategory" | "currency" | "glAccount";

/** The letter before each value in `kinds`, as the triggers of migration `account-lists` write it. */
const letters: Readonly<Record<ZoneField, string>> = {
  status: "s",
  accountType: "t",
  accountCategory: "c",
  currency: "u",
  glAccount: "g",
};

/** Between the values in `kinds`, and around them. */
const separator = "\u001f";

/** The text of a condition on `kinds`; `bind` gives the text of a parameter. */
type ZoneCondition = (bind: (text: string) => string) => string;

/**
 * A condition that holds for the `kinds` of every block with an account that fits, and of few others. Nothing where the
 * kinds do not tell.
 */
function zoneOf(condition: AccountCondition, isNegated = false): ZoneCondition | undefined {
  switch (condition.kind) {
    case "not":
      return zoneOf(condition.term, !isNegated);
    case "and":
    case "or": {
      const terms = condition.terms.map((term) => zoneOf(term, isNegated));
      const isAll = (condition.kind === "and") !== isNegated;
      const known = terms.filter((term) => term !== undefined);
      if (known.length === 0 || (!isAll && known.length < terms.length)) return undefined;
      return (bind) => `(${known.map((term) => term(bind)).join(isAll ? " AND " : " OR ")})`;
    }
    case "text":
      return textZone(condition, isNegated);
    default:
      return undefined;
  }
}

/** Fields with few possible values are settled for each; of the others only equality tells. */
function textZone(
  condition: Extract<AccountCondition, { readonly kind: "text" }>,
  isNegated: boolean,
): ZoneCondition | undefined {
  const fits = (value: string): boolean => textMatches(condition, value) !== isNegated;
  switch (condition.field) {
    case "status":
      return hasOneOf("status", accountStatuses.filter(fits));
    case "accountType":
      return hasOneOf("accountType", accountTypes.filter(fits));
    case "currencyCode": {
      // Currencies that are not of ISO 4217 have the empty code.
      const codes = allCurrencies().filter(({ numericCode }) => fits(numericCode));
      if (fits("") || codes.length > codesMax) return undefined;
      return hasOneOf(
        "currency",
        codes.map(({ code }) => code),
      );
    }
    case "currency":
    case "accountCategory":
    case "glAccount":
      return condition.op === "=" && !isNegated ? hasOneOf(condition.field, [condition.value]) : undefined;
    default:
      return undefined;
  }
}

function hasOneOf(field: ZoneField, values: readonly string[]): ZoneCondition {
  if (values.length === 0) return () => "FALSE";
  const tokens = values.map((value) => `${separator}${letters[field]}${value}${separator}`);
  return (bind) =>
    `(kinds IS NULL OR ${tokens.map((token) => `instr(kinds, ${bind(token)}) > 0`).join(" OR ")})`;
}

/** More currencies than this are in nearly every block. */
const codesMax = 16;
