/**
 * Marks in the order of an account's transactions (by creation, then id): how many there are up to this place. They lead
 * to a page far behind the first without passing over all before it. The service makes them when such a page is read
 * (`transaction-marks.ts`). A transaction that is put before marks removes those, whatever writes to the file.
 */
export const transactionMarks = `
CREATE TABLE transaction_marks (
  institution_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (institution_id, account_id, created_at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX transaction_marks_by_count ON transaction_marks (institution_id, account_id, counted);

CREATE TRIGGER transactions_unmarked AFTER INSERT ON transactions BEGIN
  DELETE FROM transaction_marks
  WHERE institution_id = NEW.institution_id AND account_id IN (NEW.debtor_account_id, NEW.creditor_account_id)
    AND (created_at, id) > (NEW.created_at, NEW.id);
END;
`;
