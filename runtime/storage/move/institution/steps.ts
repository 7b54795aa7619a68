import { StoreOpenError } from "../../common/store-open-error.ts";
import { aloneName } from "../../postgres/alone.ts";
import type { Session } from "../../postgres/connections.ts";
import { nowSql } from "../../postgres/reading/fences.ts";

/** A move between two databases. */
export interface Move {
  readonly institutionId: string;
  /** Names of the databases. */
  readonly from: string;
  readonly to: string;
  readonly source: Session;
  readonly target: Session;
}

/** A pause ends by itself after so long: writes go on in the source if the move is interrupted. */
export const pauseMsMax = 30_000;
/** So does the noting of changes. */
const notedMsMax = 24 * 3_600_000;
/** Connection name of a move. */
export const moveName = "ledger-rpc move";

/** The place mark of an institution in a database: `undefined` where it is served there, or is absent. */
export async function placeIn(
  session: Session,
  institutionId: string,
): Promise<{ readonly state: string; readonly database: string } | undefined> {
  const [row] = await session.rowsOnce(
    "SELECT state, database_name FROM institution_places WHERE institution_id = $1",
    [institutionId],
  );
  return row === undefined ? undefined : { state: String(row[0]), database: String(row[1]) };
}

/**
 * Notes in both databases what is under way, then requires that no process takes one of them for the only one: such a
 * process knows of no pause, and looks at the note with each new connection.
 */
export async function noteMove({ source, target, institutionId, from, to }: Move): Promise<void> {
  await source.change(
    "INSERT INTO institution_places (institution_id, state, database_name, paused_until) VALUES ($1, 'PAUSED', $2, 0) " +
      "ON CONFLICT (institution_id) DO UPDATE SET state = 'PAUSED', database_name = excluded.database_name, paused_until = 0 " +
      "WHERE institution_places.state = 'PAUSED'",
    [institutionId, to],
  );
  await target.change(
    "INSERT INTO institution_places (institution_id, state, database_name, paused_until) VALUES ($1, 'ARRIVING', $2, 0) " +
      "ON CONFLICT (institution_id) DO UPDATE SET state = 'ARRIVING', database_name = excluded.database_name, paused_until = 0",
    [institutionId, from],
  );
  for (const session of [source, target]) await requireNoneAlone(session);
}

/** Throws a `StoreOpenError` where another move works on the session's database. Its notes would be taken for those of this one. */
export async function requireNoOtherMove(session: Session, institutionId: string): Promise<void> {
  const connected = await session.rowsOnce(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()",
    [moveName],
  );
  if (connected.length > 0)
    throw new StoreOpenError("Another move is under way in the same database: let it end");
  const [[other = null] = []] = await session.rowsOnce(
    `SELECT institution_id FROM institution_places WHERE noted_until > ${nowSql} AND institution_id <> $1`,
    [institutionId],
  );
  if (other === null) return;
  throw new StoreOpenError(
    `A move of institution ${other} from the same database was interrupted: run it again first, or take it back with ` +
      `\`ledger-server move --institution ${other} --abort\``,
  );
}

/** From now on every transaction in the source notes what it changes. Waits for those that do not. */
export async function beginNoting({ source, institutionId }: Move): Promise<void> {
  await transaction(source, async () => {
    await holdWriters(source, institutionId);
    await source.execute("DELETE FROM moved_changes");
    const until = `${nowSql} + $1`;
    await source.change(`UPDATE gate SET noted_until = ${until}, paused_until = ${until} WHERE id = 1`, [
      notedMsMax,
    ]);
    await source.change(
      `UPDATE institution_places SET noted_until = ${until}, paused_until = ${until} WHERE institution_id = $2`,
      [notedMsMax, institutionId],
    );
  });
}

/** Waits for transactions that are under way. One that waits with an earlier state of the row is run again. */
async function holdWriters(source: Session, institutionId: string): Promise<void> {
  await source.rowsOnce("SELECT 1 FROM institutions WHERE id = $1 FOR UPDATE", [institutionId]);
  await source.rowsOnce("SELECT 1 FROM gate WHERE id = 1 FOR UPDATE", []);
  await source.change("UPDATE institutions SET name = name WHERE id = $1", [institutionId]);
}

async function requireNoneAlone(session: Session): Promise<void> {
  const [[count = null] = []] = await session.rowsOnce(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
    [aloneName],
  );
  if (Number(count) === 0) return;
  throw new StoreOpenError(
    "A process serves one of the two databases without knowing of the other: give every process the same " +
      "LEDGER_DATABASE_URL and LEDGER_DATABASE_OTHERS, restart them one by one, then move again",
  );
}

/** Waits for the writes that are under way, and has others refused from then on. */
export async function pause({ source, institutionId }: Move): Promise<void> {
  await transaction(source, async () => {
    await holdWriters(source, institutionId);
    await source.change(`UPDATE gate SET noted_until = 0, paused_until = ${nowSql} + $1 WHERE id = 1`, [
      pauseMsMax,
    ]);
    const paused = await source.change(
      `UPDATE institution_places SET noted_until = 0, paused_until = ${nowSql} + $1 ` +
        `WHERE institution_id = $2 AND (state = 'MOVED' OR noted_until > ${nowSql})`,
      [pauseMsMax, institutionId],
    );
    if (paused === 1) return;
    throw new StoreOpenError(
      "The copy took longer than a day. Nothing was moved; run the command again, it goes on",
    );
  });
}

/** Ends the pause, and the noting of changes. */
export async function resume({
  source,
  institutionId,
}: Pick<Move, "source" | "institutionId">): Promise<void> {
  await transaction(source, async () => {
    await source.change("UPDATE gate SET noted_until = 0, paused_until = 0 WHERE id = 1", []);
    await source.change(
      "UPDATE institution_places SET noted_until = 0, paused_until = 0 WHERE institution_id = $1 AND state = 'PAUSED'",
      [institutionId],
    );
    await source.execute("DELETE FROM moved_changes");
  });
}

/**
 * Takes back what `noteMove` noted and what followed. Nothing was written in the target since: it served nothing of the
 * institution. Its copied rows become former ones, as after a move away.
 */
export async function takeBack({ source, target, institutionId, from }: Move): Promise<void> {
  // A process that followed the reference to the target is led back.
  await target.change(
    "UPDATE institution_places SET state = 'MOVED', database_name = $2 WHERE institution_id = $1 AND state = 'ARRIVING'",
    [institutionId, from],
  );
  await resume({ source, institutionId });
  await source.change("DELETE FROM institution_places WHERE institution_id = $1", [institutionId]);
}

/** From now on the source refers to the target. Throws if its pause has ended: then it has taken writes again. */
export async function leave({ source, institutionId, to }: Move): Promise<void> {
  await transaction(source, async () => {
    await source.rowsOnce("SELECT 1 FROM institutions WHERE id = $1 FOR UPDATE", [institutionId]);
    await source.change("UPDATE institutions SET name = name WHERE id = $1", [institutionId]);
    const left = await source.change(
      "UPDATE institution_places SET state = 'MOVED', database_name = $1 " +
        `WHERE institution_id = $2 AND paused_until > ${nowSql}`,
      [to, institutionId],
    );
    if (left === 1) return;
    throw new StoreOpenError(
      `The last differences took longer than the ${pauseMsMax / 1000} s that writes may pause. Nothing was moved: ` +
        "move again when fewer calls are made",
    );
  });
}

/** To be called in the target's transaction that adds the last rows: with its commit the target serves the institution. */
export async function endArrival({ target, institutionId }: Move): Promise<void> {
  await target.rowsOnce("SELECT 1 FROM institutions WHERE id = $1 FOR UPDATE", [institutionId]);
  await target.change("UPDATE institutions SET name = name WHERE id = $1", [institutionId]);
  await target.change("DELETE FROM institution_places WHERE institution_id = $1 AND state = 'ARRIVING'", [
    institutionId,
  ]);
  // Of when it was here before: rows came in without removing them.
  for (const table of ["account_marks", "transaction_marks"]) {
    await target.change(`DELETE FROM ${table} WHERE institution_id = $1`, [institutionId]);
  }
}

/** Removes from the source the deliveries that the target now makes: the rest stays, and is neither read nor written. */
export async function removeMovedRows({ source, institutionId }: Move): Promise<void> {
  const open = "institution_id = $1 AND due_at IS NOT NULL";
  await transaction(source, async () => {
    for (const sql of [
      "DELETE FROM outbox_events WHERE institution_id = $1",
      `DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE ${open})`,
      `DELETE FROM deliveries WHERE ${open}`,
      "DELETE FROM endpoint_health WHERE institution_id = $1",
    ]) {
      await source.change(sql, [institutionId]);
    }
  });
}

/** Runs `work` between BEGIN and COMMIT. */
export async function transaction<T>(session: Session, work: () => Promise<T>, begin = "BEGIN"): Promise<T> {
  await session.execute(begin);
  try {
    const value = await work();
    await session.execute("COMMIT");
    return value;
  } catch (error) {
    await session.execute("ROLLBACK").catch(() => undefined);
    throw error;
  }
}
