import type { AuditBook, AuditedRows, AuditSubjects, Books } from "../common/verify/index.ts";
import { asker, present, type BookRows, type Row } from "../common/verify/rules.ts";
import type { Schema } from "../tables/schema.ts";

const auditColumns = `sequence, institution_id, subject_type, subject_id, position, operation, changed_at, user_name,
  key_id, changes, content_hash, hash`;

/** The books in a database, streamed through one connection that is inside a read transaction. */
export function sqlBooks({ verify }: Schema, source: BookRows): Books {
  const { fromSql } = source;
  const rows = asker(source);
  return {
    institutions: () => {
      const named = [...(verify?.tables ?? []), "audit_entries"].map(
        (table) => `SELECT DISTINCT institution_id FROM ${table}`,
      );
      const sql = `${["SELECT id FROM institutions", ...named].join(" UNION ")} ORDER BY 1`;
      return [...rows(sql)].map(([id]) => String(id));
    },
    audit: function* (institutionId, subjects) {
      const types = typesOf(subjects);
      // PostgreSQL takes no empty list.
      const chosen = types.map(() => ` AND subject_type ${"only" in subjects ? "=" : "<>"} ?`).join("");
      const sql = `SELECT ${auditColumns} FROM audit_entries WHERE institution_id = ?${chosen}
        ORDER BY subject_type, subject_id, position`;
      for (const row of rows(sql, institutionId, ...types)) yield auditOf(row);
    },
    records: function* (institutionId, audited) {
      const { columns } = audited.table;
      for (const row of rows(recordsSql(audited), institutionId)) {
        yield columns.map(({ type, index }) => fromSql(type, row[index] ?? null));
      }
    },
    sealKeyId: () => {
      const [row] = [...rows("SELECT key_id FROM seal_keys WHERE state = 'CURRENT'")];
      return row === undefined ? undefined : String(row[0]);
    },
    sealedTexts: function* ({ table, column }) {
      const key = table.key.map(({ name }) => name);
      const sql = `SELECT ${column}, ${key.join(", ")} FROM ${table.name} WHERE ${column} IS NOT NULL`;
      for (const [text, ...values] of rows(sql)) yield [values.join(" "), String(text)];
    },
    auditInOrder: function* () {
      for (const [sequence, institutionId, number, hash] of rows(auditInOrderSql)) {
        yield {
          sequence: Number(sequence),
          institutionId: String(institutionId),
          hash: String(hash),
          ...(number !== null && { number: Number(number) }),
        };
      }
    },
    roots: () =>
      [...rows("SELECT sequence, hash, created_at FROM chain_roots ORDER BY sequence")].map(
        ([sequence, hash, createdAt]) => ({
          sequence: Number(sequence),
          hash: String(hash),
          createdAt: Number(createdAt),
        }),
      ),
  };
}

function typesOf(subjects: AuditSubjects): readonly string[] {
  return "only" in subjects ? [subjects.only] : subjects.except;
}

/** What was added to PostgreSQL since numbers were given has none yet. */
const auditInOrderSql =
  "SELECT sequence, institution_id, number, hash FROM audit_entries WHERE sequence IS NOT NULL ORDER BY sequence";

/** Values that are sealed are not compared: JSON `null` stands for them, so that a row can be decoded without the key. */
function recordsSql({ table, subject, owner, isOfUser }: AuditedRows): string {
  const columns = table.columns.map(({ name, sealed }) => (sealed === undefined ? name : "'null'"));
  const owners = isOfUser ? "(SELECT user_name FROM users WHERE institution_id = ?)" : "(?)";
  return `SELECT ${columns.join(", ")} FROM ${table.name} WHERE ${owner.name} IN ${owners} ORDER BY ${subject.name}`;
}

function auditOf(row: Row): AuditBook {
  return {
    sequence: Number(row[0]),
    institutionId: String(row[1]),
    subjectType: String(row[2]),
    subjectId: String(row[3]),
    position: Number(row[4]),
    operation: String(row[5]),
    changedAt: Number(row[6]),
    changes: String(row[9]),
    hash: String(row[11]),
    ...present("userName", row[7]),
    ...present("keyId", row[8]),
    ...present("contentHash", row[10]),
  };
}
