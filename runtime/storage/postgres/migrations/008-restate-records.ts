import { auditHash } from "../../../domain/index.ts";
import { restated, restatedSql, restatement, type Restated } from "../../common/restated-records.ts";
import type { Session, PgRow } from "../connections.ts";

const rowsAtOnce = 1_000;
const entriesSql =
  "SELECT subject_id, position, hash, changes FROM audit_entries WHERE institution_id = $1 AND subject_type = $2 " +
  "AND subject_id = ANY (ARRAY(SELECT jsonb_array_elements_text($3::jsonb))) ORDER BY subject_id, position";
const insertSql =
  "INSERT INTO audit_entries (institution_id, subject_type, subject_id, position, operation, changed_at, changes, hash) " +
  "VALUES ($1, $2, $3, $4, 'migration', $5, $6, $7)";

/**
 * Releases before verification compared records with their audit entries recorded less of some: such records get an entry
 * that says what they are, as SQLite's migration 15 gives them.
 */
export async function restateRecords(session: Session): Promise<void> {
  for (const kind of restated) {
    await session.execute(`DECLARE restated NO SCROLL CURSOR FOR ${restatedSql(kind)} ORDER BY 1`);
    for (;;) {
      const rows = await session.rowsOnce(`FETCH ${rowsAtOnce} FROM restated`, []);
      if (rows.length === 0) break;
      const institutions = Map.groupBy(rows, ([institutionId]) => String(institutionId));
      for (const [institutionId, own] of institutions) await restate(session, kind, institutionId, own);
    }
    await session.execute("CLOSE restated");
  }
}

async function restate(
  session: Session,
  kind: Restated,
  institutionId: string,
  rows: readonly PgRow[],
): Promise<void> {
  const { subjectType } = kind;
  const changedAt = Date.now();
  const ids = JSON.stringify(rows.map(([, subjectId]) => subjectId));
  const found = await session.rows(entriesSql, [institutionId, subjectType, ids]);
  const entriesOf = Map.groupBy(found, ([subjectId]) => String(subjectId));
  for (const [, subject = null, ...values] of rows) {
    const subjectId = String(subject);
    const entries = entriesOf.get(subjectId) ?? [];
    const texts = values.map((value) => (value === null ? null : String(value)));
    const changes = restatement(
      kind,
      texts,
      entries.map(([, , , all]) => String(all)),
    );
    if (changes.length === 0) continue;
    const [, last = 0, lastHash = ""] = entries.at(-1) ?? [];
    const place = { position: Number(last) + 1, previousHash: String(lastHash) };
    const entry = { institutionId, subjectType, subjectId, operation: "migration", changedAt, changes };
    const hash = auditHash(entry, place);
    const kept = [
      institutionId,
      subjectType,
      subjectId,
      place.position,
      changedAt,
      JSON.stringify(changes),
      hash,
    ];
    await session.change(insertSql, kept);
  }
}
