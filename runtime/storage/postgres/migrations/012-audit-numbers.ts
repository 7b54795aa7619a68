/**
 * Audit entries are numbered per institution, too: an operator sees these numbers, and learns nothing of what others did.
 * Who reads numbers them (`audit-numbers.ts`). A process of the release before gives their sequence alone: the index of
 * those without a number has the ones with a sequence first.
 */
export const auditNumbers = `
ALTER TABLE audit_entries ADD COLUMN number BIGINT;
DROP INDEX audit_entries_by_institution;
CREATE INDEX audit_entries_by_institution ON audit_entries (institution_id, number) WHERE number IS NOT NULL;
DROP INDEX audit_entries_without_number;
CREATE INDEX audit_entries_without_number ON audit_entries (sequence, recorded_at) WHERE number IS NULL;
`;

/** A step of its own: no writer waits while many entries are numbered, only who reads the audit log. */
export const auditNumbersOfFormer = `
SELECT last FROM audit_numbers WHERE id = 1 FOR UPDATE;
UPDATE audit_entries AS entry SET number = ranked.number
  FROM (
    SELECT institution_id, subject_type, subject_id, position,
      row_number() OVER (PARTITION BY institution_id ORDER BY sequence) AS number
    FROM audit_entries WHERE sequence IS NOT NULL
  ) AS ranked
  WHERE entry.institution_id = ranked.institution_id AND entry.subject_type = ranked.subject_type
    AND entry.subject_id = ranked.subject_id AND entry.position = ranked.position;
`;
