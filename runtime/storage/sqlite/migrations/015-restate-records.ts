import type { DatabaseSync } from "node:sqlite";
import { auditHash } from "../../../domain/index.ts";
import { restated, restatedSql, restatement } from "../../common/restated-records.ts";
import type { SqliteValue } from "../dialect.ts";

/**
 * Records that were added before there were audit entries, or that an earlier migration changed, get an entry that says
 * what they are: from then on verification compares each of them with its entries.
 */
export function restateRecords(database: DatabaseSync): void {
  const changedAt = Date.now();
  const entriesOf = database.prepare(
    `SELECT position, hash, changes FROM audit_entries
     WHERE institution_id = ? AND subject_type = ? AND subject_id = ? ORDER BY position`,
  );
  const insert = database.prepare(
    `INSERT INTO audit_entries (institution_id, subject_type, subject_id, position, operation, changed_at, changes, hash)
     VALUES (?, ?, ?, ?, 'migration', ?, ?, ?)`,
  );
  for (const kind of restated) {
    const { subjectType } = kind;
    const statement = database.prepare(restatedSql(kind));
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) {
      const [institution = null, subject = null, ...values] = valuesOf(row);
      const [institutionId, subjectId] = [String(institution), String(subject)];
      const entries = entriesOf.all(institutionId, subjectType, subjectId);
      const texts = values.map((value) => (value === null ? null : String(value)));
      const changes = restatement(
        kind,
        texts,
        entries.map((entry) => String(entry["changes"])),
      );
      if (changes.length === 0) continue;
      const last = entries.at(-1);
      const place = {
        position: Number(last?.["position"] ?? 0) + 1,
        previousHash: String(last?.["hash"] ?? ""),
      };
      const entry = { institutionId, subjectType, subjectId, operation: "migration", changedAt, changes };
      const hash = auditHash(entry, place);
      insert.run(
        institutionId,
        subjectType,
        subjectId,
        place.position,
        changedAt,
        JSON.stringify(changes),
        hash,
      );
    }
  }
}

/** `setReturnArrays` is declared nowhere in the type of a row. */
function valuesOf(row: unknown): readonly SqliteValue[] {
  if (!Array.isArray(row)) throw new Error("node:sqlite gave a row that is no array");
  return row;
}
