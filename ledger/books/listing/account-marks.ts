import {
  bindings,
  type SqlDialect,
  type MarkLimits,
  type Reading,
  type Step,
} from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, type AccountKey } from "./keys.ts";

/** Accounts between two marks. */
export const markedEvery = 8_192;

/** The statements that add marks behind the last one of an institution. */
export function* nextAccountMarks<SqlValue>(
  institutionId: string,
  { count, untilMs }: MarkLimits,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly Pick<Step<SqlValue>, "sql" | "values">[]> {
  const last = bindings(dialect);
  const [row] = yield {
    sql:
      `SELECT created_at, id, before FROM account_marks WHERE institution_id = ${last.bind("text", institutionId)} ` +
      "ORDER BY before DESC LIMIT 1",
    values: last.values,
  };
  let place: AccountKey = row === undefined ? beforeAll : keyOf(row);
  let before = row === undefined ? 0 : Number(row[2]);
  const added: Pick<Step<SqlValue>, "sql" | "values">[] = [];
  while (added.length < count) {
    const next = bindings(dialect);
    const [found] = yield {
      sql:
        `SELECT created_at, id FROM accounts WHERE institution_id = ${next.bind("text", institutionId)} ` +
        `AND (created_at, id) >= (${next.bind("time", place.createdAt)}, ${next.bind("text", place.id)}) ` +
        `AND created_at < ${next.bind("time", untilMs)} ORDER BY created_at, id ${next.limitTo(1)} ` +
        `OFFSET ${next.bind("integer", markedEvery)}`,
      values: next.values,
    };
    if (found === undefined) break;
    place = keyOf(found);
    before += markedEvery;
    added.push(markOf(institutionId, place, before, dialect));
  }
  return added;
}

function markOf<SqlValue>(
  institutionId: string,
  { createdAt, id }: AccountKey,
  before: number,
  dialect: SqlDialect<SqlValue>,
): Pick<Step<SqlValue>, "sql" | "values"> {
  const { values, bind } = bindings(dialect);
  const places = [
    bind("text", institutionId),
    bind("time", createdAt),
    bind("text", id),
    bind("integer", before),
  ];
  return {
    sql:
      "INSERT INTO account_marks (institution_id, created_at, id, before) " +
      `VALUES (${places.join(", ")}) ON CONFLICT DO NOTHING`,
    values,
  };
}
