import { StoreOpenError } from "../../common/store-open-error.ts";
import type { ComparedTables } from "./compared-tables.ts";
import { forgetChanges, notedChanges, type NotedChanges } from "./noted-changes.ts";
import {
  beginNoting,
  endArrival,
  leave,
  noteMove,
  pause,
  removeMovedRows,
  resume,
  transaction,
  type Move,
} from "./steps.ts";
import { requireSame, synchronize } from "./synchronize.ts";

/** Rounds over what was noted, until there is little: the rest is copied in the pause. */
const roundsMax = 8;
const littleRows = 500;
/** Rows of the target that expire meanwhile are written once more. */
const comparisonsMax = 4;

export interface CarriedOut {
  /** Rows written to the target, those that changed meanwhile several times. */
  readonly rows: number;
  /** For how long the institution's writes were refused. */
  readonly pauseMs: number;
}

/** Copies the institution while it is served, then pauses its writes for what is left, and hands it over. */
export async function carryOut(
  move: Move,
  tables: ComparedTables,
  onProgress: (rows: number) => void,
): Promise<CarriedOut> {
  let rows = 0;
  const onRows = (count: number): void => onProgress((rows += count));
  await noteMove(move);
  await beginNoting(move);
  try {
    await copyAll(move, tables, onRows);
    await move.target.execute("ANALYZE");
    for (let count = 0; count < roundsMax; count += 1)
      if ((await copyNoted(move, tables, onRows)) < littleRows) break;
    const pausedAtMs = performance.now();
    await pause(move);
    await arrive(move, tables, onRows);
    const pauseMs = Math.round(performance.now() - pausedAtMs);
    await removeMovedRows(move);
    return { rows, pauseMs };
  } finally {
    // Where its database is away, both end by themselves.
    await resume(move).catch(() => undefined);
  }
}

/**
 * Runs `work` over one state of the source and the changes that are noted in it, in one transaction of the target, which
 * then has a state that was once true. Returns how many changes were noted; they are forgotten.
 */
async function overOneState(move: Move, work: (noted: NotedChanges) => Promise<void>): Promise<number> {
  const copy = async (): Promise<NotedChanges> => {
    const noted = await notedChanges(move.source);
    await transaction(move.target, () => work(noted));
    return noted;
  };
  const noted = await transaction(move.source, copy, oneState);
  await forgetChanges(move.source, noted);
  return noted.count;
}

const oneState = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Makes all rows the same in both, and compares them afterwards. What was noted before is among them. */
async function copyAll(
  move: Move,
  { served }: ComparedTables,
  onRows: (count: number) => void,
): Promise<void> {
  await overOneState(move, async () => {
    for (let count = 0; count < comparisonsMax; count += 1)
      if ((await synchronize({ ...move, onRows }, served)) === 0) return;
    throw new StoreOpenError(
      "The databases differ after the rows were copied, which no write explains. Nothing was moved; run the command again, " +
        "and `ledger-server verify` on both databases if it says this again",
    );
  });
}

/** Copies the rows that were noted. Returns how many were. */
function copyNoted(move: Move, { served }: ComparedTables, onRows: (count: number) => void): Promise<number> {
  return overOneState(move, async ({ rows: chosen }) => {
    await synchronize({ ...move, onRows, chosen }, served);
  });
}

/** Copies the rest and what delivery works on, and hands the institution over: the source lets go before the target takes. */
function arrive(
  move: Move,
  { served, live }: ComparedTables,
  onRows: (count: number) => void,
): Promise<void> {
  return transaction(move.target, async () => {
    await transaction(
      move.source,
      async () => {
        const { rows: chosen } = await notedChanges(move.source);
        await synchronize({ ...move, onRows, chosen }, served);
        await requireSame({ ...move, chosen }, served);
        await synchronize({ ...move, onRows }, live);
        await requireSame(move, live);
      },
      oneState,
    );
    await endArrival(move);
    await leave(move);
  });
}
