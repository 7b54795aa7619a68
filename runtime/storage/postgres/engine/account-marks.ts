import { accounts } from "../../tables/records.ts";
import type { ColumnValue } from "../../tables/index.ts";
import type { Connections, Session } from "../connections.ts";
import { markAll, type Unmark } from "./mark-all.ts";

/** Accounts between two marks. */
export const markedEvery = 8_192;
/** Marks made in one transaction: it meets those who write accounts meanwhile. */
const markedAtOnce = 16;

const lastSql =
  "SELECT created_at, id, before FROM account_marks WHERE institution_id = $1 ORDER BY before DESC LIMIT 1";
const nextSql =
  "SELECT created_at, id FROM accounts WHERE institution_id = $1 AND (created_at, id) >= ($2, $3) " +
  "AND created_at < $4 ORDER BY created_at, id LIMIT 1 OFFSET $5";
const markSql =
  "INSERT INTO account_marks (institution_id, created_at, id, before) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

const unmarkSql = "DELETE FROM account_marks WHERE institution_id = $1 AND (created_at, id) > ($2, $3)";
const placeColumns = (["institutionId", "createdAt", "id"] as const).map((field) => accounts.columnOf(field));

/** Removes the marks behind an account. */
export function unmarkAccounts(row: readonly ColumnValue[]): Unmark {
  return { sql: unmarkSql, values: placeColumns.map(({ index }) => row[index] ?? null) };
}

/** Marks the accounts of an institution that were created before a time. */
export function markAccounts(
  connections: Connections,
  institutionId: string,
  untilMs: number,
): Promise<void> {
  return markAll(connections, (session) => markSome(session, institutionId, untilMs));
}

/** Returns whether there may be more to mark. */
async function markSome(session: Session, institutionId: string, untilMs: number): Promise<boolean> {
  const [last = [Number.MIN_SAFE_INTEGER, "", 0]] = await session.rows(lastSql, [institutionId]);
  let [createdAt = null, id = null] = last;
  let before = Number(last[2]);
  let count = 0;
  for (; count < markedAtOnce; count += 1) {
    const [next] = await session.rows(nextSql, [institutionId, createdAt, id, untilMs, markedEvery]);
    if (next === undefined) break;
    [createdAt = null, id = null] = next;
    before += markedEvery;
    await session.change(markSql, [institutionId, createdAt, id, before]);
  }
  return count === markedAtOnce;
}
