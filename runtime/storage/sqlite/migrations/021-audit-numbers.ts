/**
 * Audit entries are numbered per institution, too, in their order: an operator sees these numbers, and learns nothing of
 * what others did. The index finds an institution's last number, and its pages.
 */
export const auditNumbers = `
ALTER TABLE audit_entries ADD COLUMN number INTEGER;
UPDATE audit_entries SET number = ranked.number
  FROM (
    SELECT sequence AS entry, row_number() OVER (PARTITION BY institution_id ORDER BY sequence) AS number
    FROM audit_entries
  ) AS ranked
  WHERE ranked.entry = audit_entries.sequence;
DROP INDEX audit_entries_by_institution;
CREATE UNIQUE INDEX audit_entries_by_institution ON audit_entries (institution_id, number);
`;
