import { standardConnections } from "../../common/adapter.ts";
import { StoreOpenError } from "../../common/store-open-error.ts";
import type { NamedDatabase } from "../../common/named-database.ts";
import { createConnections, type Session } from "../../postgres/connections.ts";
import { requireUpToDate } from "../../postgres/migrate.ts";
import { knownSealKeys } from "../../postgres/seal-keys.ts";
import { placeSql } from "../../postgres/places.ts";
import { comparedTables, type ComparedTables } from "./compared-tables.ts";
import { namedSession, rejectAs } from "./named-session.ts";
import {
  endArrival,
  leave,
  noteMove,
  pause,
  placeIn,
  resume,
  removeMovedRows,
  transaction,
  type Move,
} from "./steps.ts";
import { requireSame, synchronize, type ComparedRows } from "./synchronize.ts";

export interface MoveInstitutionOptions {
  readonly institutionId: string;
  /** All databases of the deployment; the first one holds the directory. */
  readonly databases: readonly NamedDatabase[];
  /** Name of the one to move to. */
  readonly to: string;
  /** Called with the number of rows written so far. */
  readonly onProgress: (rows: number) => void;
}

export interface MovedInstitution {
  readonly from: string;
  /** Rows written to the target, those that changed meanwhile several times. */
  readonly rows: number;
  /** For how long the institution's writes were refused. */
  readonly pauseMs: number;
}

/** Rounds while the institution is served, until one has little to write. */
const roundsMax = 8;
const littleRows = 500;

/**
 * Moves an institution to another database while both are served. Copies it in rounds, each of which writes what differs;
 * then pauses its writes, copies the last differences, compares every row, and has it served from the target. Reads are
 * answered all the time. Run again after an interruption, it goes on.
 * @throws StoreOpenError where it cannot be moved; it stays where it is then.
 */
export async function moveInstitution(options: MoveInstitutionOptions): Promise<MovedInstitution> {
  const { databases, to, institutionId } = options;
  const [first] = databases;
  if (first === undefined) throw new StoreOpenError("a deployment has a database");
  const pools = new Map(databases.map(({ name, url }) => [name, connectionsTo(url)]));
  const sessions = new Map<string, Session>();
  const sessionOf = async (name: string): Promise<Session> => {
    const known = sessions.get(name);
    if (known !== undefined) return known;
    const opened = await pools
      .get(name)
      ?.session()
      .catch((error: unknown) => rejectAs(name, error));
    if (opened === undefined) {
      throw new StoreOpenError(`There is no database ${name}: there are ${[...pools.keys()].join(", ")}`);
    }
    const session = namedSession(name, opened);
    // One of the two waits while the other one compares.
    await session.execute("SET idle_in_transaction_session_timeout = 0");
    // An institution is most of its database: reading all of a table is no conflict here.
    await session.execute("SET enable_seqscan = on");
    await session.execute("SET work_mem = '64MB'");
    sessions.set(name, session);
    return session;
  };
  try {
    const target = await sessionOf(to);
    const from = await currentDatabase(institutionId, first.name, to, sessionOf);
    if (from === to) {
      await removeMovedRowsOfOthers(databases, institutionId, to, sessionOf);
      return { from, rows: 0, pauseMs: 0 };
    }
    const source = await sessionOf(from);
    const move: Move = { source, target, institutionId, from, to };
    const tables = await checkedTables(move);
    const moved = await carriedOut(move, tables, options.onProgress);
    const directory = await sessionOf(first.name);
    if (first.name !== from && first.name !== to) await directory.change(placeSql, [institutionId, to]);
    return { from, ...moved };
  } finally {
    for (const session of sessions.values()) session.release();
    for (const pool of pools.values()) await pool.close();
  }
}

function connectionsTo(url: string) {
  return createConnections(
    url,
    { ...standardConnections, poolSize: 1, statementTimeoutMs: 0 },
    { name: "ledger-rpc move" },
  );
}

/** The database that has the institution now. Throws a `StoreOpenError` where it is unknown. */
async function currentDatabase(
  institutionId: string,
  firstName: string,
  to: string,
  sessionOf: (name: string) => Promise<Session>,
): Promise<string> {
  const seen = new Set<string>();
  let name = firstName;
  for (;;) {
    const session = await sessionOf(name);
    await requireUpToDate(session);
    const place = await placeIn(session, institutionId);
    // A move that was interrupted after the source was left goes on.
    const arriving =
      name !== to && place?.state === "MOVED" && place.database === to && (await isArriving(to, name));
    if (arriving) return name;
    if (place === undefined || place.state === "PAUSED") {
      const rows = await session.rowsOnce("SELECT 1 FROM institutions WHERE id = $1", [institutionId]);
      if (rows.length === 0) throw new StoreOpenError(`There is no institution ${institutionId}`);
      return name;
    }
    if (seen.has(name)) throw new StoreOpenError(`The databases refer to each other for ${institutionId}`);
    seen.add(name);
    name = place.database;
  }

  async function isArriving(target: string, source: string): Promise<boolean> {
    const place = await placeIn(await sessionOf(target), institutionId);
    return place?.state === "ARRIVING" && place.database === source;
  }
}

/** Finishes a move that was interrupted at its very end. */
async function removeMovedRowsOfOthers(
  databases: readonly NamedDatabase[],
  institutionId: string,
  to: string,
  sessionOf: (name: string) => Promise<Session>,
): Promise<void> {
  const target = await sessionOf(to);
  for (const { name } of databases.filter((database) => database.name !== to)) {
    const source = await sessionOf(name);
    const place = await placeIn(source, institutionId);
    if (place?.state === "MOVED") await removeMovedRows({ institutionId, from: name, to, source, target });
  }
}

/** Throws a `StoreOpenError` where the rows of one database would not be of use in the other. */
async function checkedTables({ source, target, institutionId, to }: Move): Promise<ComparedTables> {
  await requireUpToDate(target);
  const [there, here] = await Promise.all([knownSealKeys(source), knownSealKeys(target)]);
  if (here.current !== there.current) {
    throw new StoreOpenError(
      `${to} is sealed with key ${here.current ?? "none yet"}, the institution's database with ${there.current}: give both the ` +
        "same, and start a service on them once",
    );
  }
  const [[unowned = null] = []] = await source.rowsOnce(
    "SELECT count(*) FROM answers WHERE institution_id IS NULL AND created_at > $1",
    [Date.now() - 24 * 3_600_000],
  );
  if (Number(unowned) > 0) {
    throw new StoreOpenError(
      `${unowned} stored results were kept by an earlier release and do not say whose they are: move 24 hours after the upgrade`,
    );
  }
  const place = await placeIn(target, institutionId);
  const isThere = await target.rowsOnce("SELECT 1 FROM institutions WHERE id = $1", [institutionId]);
  if (place === undefined && isThere.length > 0) {
    throw new StoreOpenError(`${to} has another institution ${institutionId} of its own`);
  }
  return comparedTables(source, target);
}

async function carriedOut(
  move: Move,
  tables: ComparedTables,
  onProgress: (rows: number) => void,
): Promise<Pick<MovedInstitution, "rows" | "pauseMs">> {
  let rows = 0;
  const onRows = (count: number): void => onProgress((rows += count));
  /** Over one state of the source, in one transaction of the target. */
  const round = async (compared: readonly ComparedRows[]): Promise<number> => {
    let written = 0;
    await transaction(
      move.source,
      () =>
        transaction(move.target, async () => {
          written = await synchronize({ ...move, onRows }, compared);
        }),
      oneState,
    );
    return written;
  };
  await noteMove(move);
  for (let count = 0; count < roundsMax; count += 1)
    if ((await round(tables.finishedRows)) < littleRows) break;
  await move.target.execute("ANALYZE");

  const pausedAtMs = performance.now();
  await pause(move);
  try {
    if ((await round(tables.finishedRows)) > 0) await compareAll(move, tables.finishedRows);
    await arrive(move, tables.live, onRows);
    await removeMovedRows(move);
  } finally {
    await resume(move);
  }
  return { rows, pauseMs: Math.round(performance.now() - pausedAtMs) };
}

const oneState = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

function compareAll(move: Move, compared: readonly ComparedRows[]): Promise<void> {
  return transaction(move.source, () => requireSame(move, compared), oneState);
}

/** Copies what delivery works on, and hands the institution over: the source lets go before the target takes. */
function arrive(move: Move, live: readonly ComparedRows[], onRows: (count: number) => void): Promise<void> {
  return transaction(move.target, async () => {
    await transaction(
      move.source,
      async () => {
        await synchronize({ ...move, onRows }, live);
        await requireSame(move, live);
      },
      oneState,
    );
    await endArrival(move);
    await leave(move);
  });
}
