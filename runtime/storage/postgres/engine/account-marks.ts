import { accounts, type ColumnValue } from "../../tables/index.ts";
import type { Connections, Session } from "../connections.ts";
import { isConflict } from "../errors.ts";

/** Accounts between two marks. */
export const markedEvery = 8_192;
/** Marks made in one transaction: it meets those who write accounts meanwhile. */
const markedAtOnce = 16;
/** Younger accounts are not counted yet: others of about the same time may be on their way. */
const settledMs = 3_600_000;
/** A process looks for new marks so often, for each institution. */
const markEveryMs = 60_000;
const institutionsMax = 1_000;

const lastSql =
  "SELECT created_at, id, before FROM account_marks WHERE institution_id = $1 ORDER BY before DESC LIMIT 1";
const nextSql =
  "SELECT created_at, id FROM accounts WHERE institution_id = $1 AND (created_at, id) >= ($2, $3) " +
  "AND created_at < $4 ORDER BY created_at, id LIMIT 1 OFFSET $5";
const markSql =
  "INSERT INTO account_marks (institution_id, created_at, id, before) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

/** Executed with every account that is written: the marks behind it count one too few from then on. */
export const unmarkSql =
  "DELETE FROM account_marks WHERE institution_id = $1 AND (created_at, id) > ($2, $3)";

const placeColumns = (["institutionId", "createdAt", "id"] as const).map((field) => accounts.columnOf(field));

/** The parameters of `unmarkSql` for an encoded account. */
export function placeOf(encoded: readonly ColumnValue[]): readonly ColumnValue[] {
  return placeColumns.map(({ index }) => encoded[index] ?? null);
}

/** Makes marks where pages far behind the first are asked for. */
export interface AccountMarker {
  /** A page with this offset was read. */
  noteOffset(institutionId: string, offset: number): Promise<void>;
}

export function createAccountMarker(connections: Connections): AccountMarker {
  const markedAtMs = new Map<string, number>();
  return {
    noteOffset: async (institutionId, offset) => {
      const nowMs = Date.now();
      if (offset < markedEvery || nowMs - (markedAtMs.get(institutionId) ?? -Infinity) < markEveryMs) return;
      if (markedAtMs.size >= institutionsMax) markedAtMs.clear();
      markedAtMs.set(institutionId, nowMs);
      await markAccounts(connections, institutionId, nowMs - settledMs);
    },
  };
}

/**
 * Marks the accounts of an institution that were created before a time. Serializable: an account that is written at the
 * same time is either counted or removes the mark. Marks that meet other transactions are left to the next time.
 */
export async function markAccounts(
  connections: Connections,
  institutionId: string,
  untilMs: number,
): Promise<void> {
  const session = await connections.session();
  let failure: unknown;
  try {
    while ((await markSome(session, institutionId, untilMs)) === markedAtOnce);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    session.release(failure);
  }
}

/** Returns the number of marks made. */
async function markSome(session: Session, institutionId: string, untilMs: number): Promise<number> {
  await session.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
  try {
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
    await session.execute("COMMIT");
    return count;
  } catch (error) {
    await session.execute("ROLLBACK");
    if (isConflict(error)) return 0;
    throw error;
  }
}
