import type { Connections, Session } from "./connections.ts";

/** Entries that get their numbers in one transaction. */
const numberedAtOnce = 5_000;

const lastSql = "SELECT last FROM audit_numbers WHERE id = 1 FOR UPDATE";
const key = "institution_id, subject_type, subject_id, position";
/** Those of an institution that is arriving from another database are not there yet. */
const isUnnumbered =
  "sequence IS NULL AND institution_id NOT IN (SELECT institution_id FROM institution_places WHERE state = 'ARRIVING')";
const numberSql = `
UPDATE audit_entries AS entry SET sequence = numbered.number
FROM (
  SELECT ${key}, $1::BIGINT + row_number() OVER (ORDER BY recorded_at, ${key}) AS number
  FROM audit_entries WHERE ${isUnnumbered} ORDER BY recorded_at, ${key} LIMIT ${numberedAtOnce}
) AS numbered
WHERE entry.institution_id = numbered.institution_id AND entry.subject_type = numbered.subject_type
  AND entry.subject_id = numbered.subject_id AND entry.position = numbered.position`;
const countedSql = "UPDATE audit_numbers SET last = last + $1 WHERE id = 1";

/**
 * Numbers the audit entries that have none, from 1 without gaps, in the order they were written. Writers do not number:
 * all of them would meet at the last number. Readers of the audit do it first.
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
  const count = await session.change(numberSql, [row?.[0] ?? 0]);
  await session.change(countedSql, [count]);
  await session.execute("COMMIT");
  return count;
}
