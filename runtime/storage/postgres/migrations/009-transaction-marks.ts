/**
 * Marks in the order of an account's transactions (by creation, then id): how many there are up to this place. They lead
 * to a page far behind the first without passing over all before it. A transaction that is put before marks removes those
 * (`transaction-marks.ts`). A release that does not do so puts none before them: only transactions of an hour ago are marked.
 */
export const transactionMarks = `
CREATE TABLE transaction_marks (
  institution_id TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  counted BIGINT NOT NULL,
  PRIMARY KEY (institution_id, account_id, created_at, id)
);
CREATE INDEX transaction_marks_by_count ON transaction_marks (institution_id, account_id, counted);
`;
