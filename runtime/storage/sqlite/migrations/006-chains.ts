/**
 * Postings become links of one chain an account, in the order of their account, which is how they are verified; their
 * index by transaction holds all that a transaction's content hash takes. What was kept before is linked in the order
 * of its time.
 */
export const chains = `
ALTER TABLE accounts ADD COLUMN posting_position INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN posting_hash TEXT NOT NULL DEFAULT '';

ALTER TABLE postings RENAME TO former_postings;
CREATE TABLE postings (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (institution_id, account_id, position),
  FOREIGN KEY (institution_id, transaction_id) REFERENCES transactions (institution_id, id),
  FOREIGN KEY (institution_id, account_id) REFERENCES accounts (institution_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO postings
  SELECT id, institution_id, transaction_id, account_id, currency, amount_minor, created_at,
    row_number() OVER (PARTITION BY institution_id, account_id ORDER BY created_at, transaction_id, id), ''
  FROM former_postings ORDER BY institution_id, account_id, created_at, transaction_id, id;
DROP TABLE former_postings;
CREATE INDEX postings_by_transaction
  ON postings (institution_id, transaction_id, id, currency, amount_minor, created_at);

CREATE TABLE audit_entries (
  sequence INTEGER PRIMARY KEY,
  institution_id TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  operation TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  user_name TEXT,
  key_id TEXT,
  changes TEXT NOT NULL,
  content_hash TEXT,
  hash TEXT NOT NULL,
  UNIQUE (institution_id, subject_type, subject_id, position)
) STRICT;
CREATE INDEX audit_entries_by_institution ON audit_entries (institution_id);

CREATE TABLE chain_roots (
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sequence)
) STRICT, WITHOUT ROWID;
`;
