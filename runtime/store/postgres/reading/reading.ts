import type { Reads } from "../../ports/index.ts";
import { type ReadEngine, readsOf } from "../../common/engine.ts";
import type { Sealing } from "../../common/sealing.ts";
import { auditEntries } from "../../tables/index.ts";
import type { Connections, Session } from "../connections.ts";
import { readEngine, type ReadList } from "../engine/engine.ts";
import { StaleLookupError, type LookedUp, type LookUp } from "./lookup.ts";

interface ReadingOptions {
  readonly connections: Connections;
  readonly lookUp: LookUp;
  /** For audit entries. */
  readonly auditing: Connections;
  readonly sealing: Sealing;
  readonly readList: ReadList;
}

/**
 * Runs `work` over one state. If the schema has a lookup for its first question, one statement answers it and what
 * usually follows. A transaction begins only if `work` asks for more. It looks the record up again. If the record is
 * unchanged, all answers are those of the transaction's state; otherwise `work` runs once more, all of it in a
 * transaction.
 */
export async function readConsistently<T>(
  reading: ReadingOptions,
  work: (view: Reads) => Promise<T>,
): Promise<T> {
  try {
    return await readOnce(reading, work, reading.lookUp);
  } catch (error) {
    if (error instanceof StaleLookupError) return readOnce(reading, work);
    throw error;
  }
}

async function readOnce<T>(
  reading: ReadingOptions,
  work: (view: Reads) => Promise<T>,
  lookUp?: LookUp,
): Promise<T> {
  let transaction: Promise<Transaction> | undefined;
  let looked: LookedUp | undefined;
  const engine = async (): Promise<ReadEngine> => (await (transaction ??= begin(reading, looked))).engine;
  const view = readsOf({
    one: async (query, values) => {
      if (looked === undefined && transaction === undefined) {
        looked = lookUp?.(query, values);
        if (looked !== undefined) return looked.one(query, values);
      }
      return (await looked?.one(query, values)) ?? (await engine()).one(query, values);
    },
    many: async (query, values) =>
      (await looked?.many(query, values)) ?? (await engine()).many(query, values),
    count: async (...question) => (await engine()).count(...question),
    list: async (...question) => (await engine()).list(...question),
  });
  let failure: unknown;
  try {
    const value = await work(view);
    await (
      await transaction
    )?.confirmed;
    return value;
  } catch (error) {
    failure = error;
    // The result of `work` does not count if the answers do not belong together.
    await transaction?.then(({ confirmed }) => confirmed);
    throw error;
  } finally {
    // Not awaited: the connection returns to the pool once it is done.
    void transaction?.then(({ session }) => end(session, failure), ignored);
  }
}

interface Transaction {
  readonly session: Session;
  readonly engine: ReadEngine;
  /** Rejects where its answers are not to be used. */
  readonly confirmed: Promise<unknown>;
}

async function begin(reading: ReadingOptions, looked: LookedUp | undefined): Promise<Transaction> {
  const { sealing, readList } = reading;
  const session = await reading.connections.session();
  // All of this travels with the first question.
  session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").catch(ignored);
  const confirmed = Promise.resolve(looked?.requireSame(session));
  confirmed.catch(ignored);
  return { session, engine: withAuditNumbers(readEngine(session, sealing, readList), reading), confirmed };
}

async function end(session: Session, failure: unknown): Promise<void> {
  try {
    await session.execute(failure === undefined ? "COMMIT" : "ROLLBACK");
    session.release();
  } catch (error) {
    session.release(error);
  }
}

/** Reported by the questions that follow. */
function ignored(): void {}

/** Audit entries are numbered before they are read: those are of a later state than the view's. */
function withAuditNumbers(engine: ReadEngine, { auditing, sealing, readList }: ReadingOptions): ReadEngine {
  return {
    ...engine,
    many: async (query, values) => {
      if (query.table.name !== auditEntries.name) return engine.many(query, values);
      await numberAuditEntries(auditing);
      const session = await auditing.session();
      let failure: unknown;
      try {
        return await readEngine(session, sealing, readList).many(query, values);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        session.release(failure);
      }
    },
  };
}

/** Entries that get their numbers in one transaction. */
const numberedAtOnce = 5_000;

const lastSql = "SELECT last FROM audit_numbers WHERE id = 1 FOR UPDATE";
const key = "institution_id, subject_type, subject_id, position";
const isUnnumbered = "number IS NULL";
const numberSql = `
WITH chosen AS MATERIALIZED (
  SELECT ${key}, sequence, recorded_at FROM audit_entries WHERE ${isUnnumbered}
  ORDER BY sequence, recorded_at, ${key} LIMIT ${numberedAtOnce}
), institutions AS (
  SELECT institution_id, (
    SELECT coalesce(max(number), 0) FROM audit_entries AS own WHERE own.institution_id = named.institution_id
  ) AS last
  FROM (SELECT DISTINCT institution_id FROM chosen) AS named
), numbered AS (
  UPDATE audit_entries AS entry SET sequence = counted.sequence, number = counted.number
  FROM (
    SELECT ${key},
      coalesce(
        sequence,
        $1::BIGINT + row_number() OVER (PARTITION BY sequence IS NULL ORDER BY recorded_at, ${key})
      ) AS sequence,
      last + row_number() OVER (PARTITION BY institution_id ORDER BY sequence, recorded_at, ${key}) AS number
    FROM chosen JOIN institutions USING (institution_id)
  ) AS counted
  WHERE entry.institution_id = counted.institution_id AND entry.subject_type = counted.subject_type
    AND entry.subject_id = counted.subject_id AND entry.position = counted.position
  RETURNING entry.sequence
)
SELECT count(*), coalesce(max(sequence), 0) FROM numbered`;
const countedSql = "UPDATE audit_numbers SET last = greatest(last, $1::BIGINT) WHERE id = 1";

/**
 * Numbers the audit entries that have no number, in the order they were written: per database and per institution,
 * both from 1 without gaps. Writers do not number: all of them would meet at the last number. Readers of the audit do
 * it first.
 */
export async function numberAuditEntries(connections: Connections): Promise<void> {
  const session = await connections.session();
  let failure: unknown;
  try {
    for (let isMore = await isAny(session); isMore;) isMore = (await numberSome(session)) === numberedAtOnce;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    session.release(failure);
  }
}

async function isAny(session: Session): Promise<boolean> {
  return (await session.rows(`SELECT 1 FROM audit_entries WHERE ${isUnnumbered} LIMIT 1`, [])).length > 0;
}

async function numberSome(session: Session): Promise<number> {
  await session.execute("BEGIN ISOLATION LEVEL READ COMMITTED");
  const [row] = await session.rows(lastSql, []);
  const [[count = 0, last = 0] = []] = await session.rows(numberSql, [row?.[0] ?? 0]);
  await session.change(countedSql, [last]);
  await session.execute("COMMIT");
  return Number(count);
}
