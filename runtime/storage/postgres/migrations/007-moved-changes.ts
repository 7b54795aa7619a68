/**
 * The changes that are written while an institution moves: transactions add the keys of the rows that they change,
 * until `noted_until`. A release that knows nothing of it reads `paused_until`, which is as late, and writes nothing.
 */
export const movedChanges = `
CREATE TABLE moved_changes (
  id TEXT COLLATE "C" NOT NULL,
  changes TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
ALTER TABLE institution_places ADD COLUMN noted_until BIGINT NOT NULL DEFAULT 0;
ALTER TABLE gate ADD COLUMN noted_until BIGINT NOT NULL DEFAULT 0;
`;
