import type { Connections, Session } from "./connections.ts";

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
 * Numbers the audit entries that have none, in the order they were written: those of the database and those of each
 * institution, both from 1 without gaps. Writers do not number: all of them would meet at the last number. Readers of the
 * audit do it first.
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
