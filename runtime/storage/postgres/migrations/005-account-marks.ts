/**
 * Marks in the order of lists (by creation, then id): how many accounts of the institution are before the one at this place.
 * They lead to a page far behind the first without passing over all before it. An account that is put before marks
 * removes those (`account-marks.ts`), so that a mark that is there is true.
 */
export const accountMarks = `
CREATE TABLE account_marks (
  institution_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  before BIGINT NOT NULL,
  PRIMARY KEY (institution_id, created_at, id)
);
CREATE INDEX account_marks_by_count ON account_marks (institution_id, before);
`;
