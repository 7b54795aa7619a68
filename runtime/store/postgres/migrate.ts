import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../contract/index.ts";
import { type MigrationListener, type MigrationStep, StoreOpenError } from "../common/adapter.ts";
import { namesOf, pendingOf, type Pending, type Versions } from "../common/versions.ts";
import type { Session } from "./connections.ts";
import { isConflict, isLocked } from "./errors.ts";

const tableSql = `CREATE TABLE IF NOT EXISTS migrations (
  number BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`;
const isThereSql = "SELECT to_regclass('migrations') IS NOT NULL";
const recordedSql = "SELECT number, name, checksum FROM migrations ORDER BY number";
const recordSql =
  "INSERT INTO migrations (number, name, checksum, applied_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";

/**
 * The steps that the database still lacks.
 * @throws StoreOpenError as `pendingOf`.
 */
export async function pendingMigrations(session: Session, known: Versions): Promise<readonly Pending[]> {
  const rows = (await isMigrated(session)) ? await session.rowsOnce(recordedSql, []) : [];
  const recorded = rows.map(([number, name, checksum]) => ({
    number: Number(number),
    name: String(name),
    checksum: String(checksum),
  }));
  return pendingOf(recorded, known, "The database");
}

interface ApplyOptions {
  /** Called before each step. */
  readonly onMigration?: MigrationListener | undefined;
  /** How long a statement waits for a table, in milliseconds. Default: 2,000. */
  readonly lockWaitMs?: number;
}

/** While a step waits for a table, everyone else who asks for that table waits behind it. */
const lockWaitMsStandard = 2_000;
/** How often a step that did not get its tables is tried again, and how long the others have the tables before. */
const attemptsMax = 30;
const pauseMs = 1_000;

/**
 * Brings the database up to date, each step in a transaction of its own. Two processes that do so at the same time wait
 * for each other at the number of a step, also two programs that know different ones. Returns the steps that this one
 * applied.
 */
export async function applyMigrations(
  session: Session,
  known: Versions,
  { onMigration, lockWaitMs = lockWaitMsStandard }: ApplyOptions = {},
): Promise<readonly MigrationStep[]> {
  const applied: MigrationStep[] = [];
  for (;;) {
    // Anew for each: what another process has applied meanwhile has the number of this one's.
    const pending = await pendingMigrations(session, known);
    const [next] = pending;
    if (next === undefined) return applied;
    const begun = applied.length + 1;
    onMigration?.({ name: next.step.name, step: begun, steps: applied.length + pending.length });
    await createTable(session);
    if (await applyPatiently(session, next, lockWaitMs)) applied.push(next.step);
  }
}

/** Whether this process has applied the step, and not another one. */
async function applyPatiently(session: Session, pending: Pending, lockWaitMs: number): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await applyOne(session, pending, lockWaitMs);
    if (outcome !== "locked") return outcome === "applied";
    if (attempt === attemptsMax) throw new StoreOpenError(lockedText(pending.step));
    await sleep(Math.min(pauseMs, lockWaitMs));
  }
}

/** Applies a step, or nothing of it where another process has taken its number, or where others hold its tables. */
async function applyOne(
  session: Session,
  { step, records }: Pending,
  lockWaitMs: number,
): Promise<"applied" | "taken" | "locked"> {
  await session.execute("BEGIN");
  try {
    for (const { number, name, checksum } of records) {
      if ((await session.change(recordSql, [number, name, checksum, Date.now()])) === 1) continue;
      await session.execute("ROLLBACK");
      return "taken";
    }
    // Not before: a second process waits at the record for as long as the first one takes.
    await session.execute(`SET LOCAL lock_timeout = ${lockWaitMs}`);
    for (const statement of statementsOf(step.sql)) await session.execute(statement);
    await session.execute("COMMIT");
    return "applied";
  } catch (error) {
    await session.execute("ROLLBACK").catch(() => undefined);
    if (isLocked(error) || isConflict(error) || isTaken(error)) return "locked";
    const reason = messageOf(error);
    throw new StoreOpenError(`Migration ${step.number} (${step.name}) failed and was undone: ${reason}`, {
      cause: error,
    });
  }
}

/** A process that serves has written a row meanwhile that the step was about to add. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

function lockedText({ number, name }: MigrationStep): string {
  return (
    `Migration ${number} (${name}) did not get its tables in ${attemptsMax} attempts: a transaction holds them. ` +
    "Find it in pg_stat_activity (a backup, a report), wait for its end or end it, and run `ledger-server migrate` again."
  );
}

/**
 * If two processes create it at once, PostgreSQL refuses one of them in spite of IF NOT EXISTS, with one of several
 * codes. What counts is that the table exists.
 */
async function createTable(session: Session): Promise<void> {
  try {
    await session.execute(tableSql);
  } catch (error) {
    if (!(await isMigrated(session))) throw error;
  }
}

/** Whether any migration was applied. */
export async function isMigrated(session: Session): Promise<boolean> {
  const [[isThere] = []] = await session.rowsOnce(isThereSql, []);
  return isThere === "t";
}

export async function requireUpToDate(session: Session, known: Versions): Promise<void> {
  const pending = await pendingMigrations(session, known);
  if (pending.length === 0) return;
  throw new StoreOpenError(`The database lacks migration ${namesOf(pending)}: run \`ledger-server migrate\``);
}

/** No statement of a migration has a semicolon at the end of a line but its own. */
function statementsOf(sql: string): readonly string[] {
  return sql
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** While the table is there, the database is the target of a move that is not finished. */
const isUnderWaySql = "SELECT to_regclass('move_progress') IS NOT NULL";
const createSql = "CREATE TABLE move_progress (table_name TEXT NOT NULL PRIMARY KEY, moved BIGINT NOT NULL)";
const addSql = "INSERT INTO move_progress (table_name, moved) VALUES ($1, 0) ON CONFLICT DO NOTHING";
const movedSql = "SELECT moved FROM move_progress WHERE table_name = $1";
const advanceSql = "UPDATE move_progress SET moved = $1 WHERE table_name = $2 AND moved = $3";

export async function isMoveUnderWay(session: Session): Promise<boolean> {
  const [[isThere] = []] = await session.rowsOnce(isUnderWaySql, []);
  return isThere === "t";
}

/** Throws a `StoreOpenError` for a database that has a part of what is being moved to it. */
export async function requireNoMove(session: Session): Promise<void> {
  if (!(await isMoveUnderWay(session))) return;
  throw new StoreOpenError(
    "The database is the target of `ledger-server move`, which is under way or was interrupted: run it again, it goes on",
  );
}

export async function beginMove(session: Session): Promise<void> {
  await session.execute(createSql);
}

export async function endMove(session: Session): Promise<void> {
  await session.execute("DROP TABLE move_progress");
}

/** How many rows of a table were moved. */
export async function rowsMoved(session: Session, table: string): Promise<number> {
  await session.change(addSql, [table]);
  const [[moved = null] = []] = await session.rows(movedSql, [table]);
  return Number(moved);
}

/** To be called in the transaction that adds the rows. */
export async function advanceMove(session: Session, table: string, from: number, to: number): Promise<void> {
  if ((await session.change(advanceSql, [to, table, from])) === 1) return;
  throw new StoreOpenError("Another `ledger-server move` writes to the same database: let it end");
}
