/**
 * Mails are kept until they are sent, with their attempts, as deliveries are. Those that wait keep their time, and have
 * the whole retry schedule before them; whose they are is known where there is one institution. Indexes count
 * what waits of an institution, and find the oldest.
 */
export const keptMails = `
ALTER TABLE outbox_mails RENAME TO former_outbox_mails;
DROP INDEX outbox_mails_by_attempt;

CREATE TABLE outbox_mails (
  id TEXT NOT NULL PRIMARY KEY,
  message_sealed TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  institution_id TEXT,
  kind TEXT NOT NULL,
  user_name TEXT,
  legal_rep_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'FAILED', 'SENT')),
  failures INTEGER NOT NULL,
  claim TEXT,
  failed_at INTEGER,
  sent_at INTEGER,
  expires_at INTEGER
) STRICT;
INSERT INTO outbox_mails (id, message_sealed, attempts, next_attempt_at, created_at, institution_id, kind, state, failures)
  SELECT id, message_sealed, attempts, next_attempt_at, created_at,
    (SELECT min(id) FROM institutions HAVING count(*) = 1), 'unknown', 'PENDING', 0
  FROM former_outbox_mails;
DROP TABLE former_outbox_mails;
CREATE INDEX outbox_mails_by_attempt ON outbox_mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbox_mails_by_time ON outbox_mails (institution_id, created_at, id);
CREATE INDEX outbox_mails_by_state ON outbox_mails (institution_id, state, created_at, id);
CREATE INDEX outbox_mails_by_legal_rep ON outbox_mails (institution_id, legal_rep_id, kind, state, id)
  WHERE legal_rep_id IS NOT NULL;
CREATE INDEX outbox_mails_claimed ON outbox_mails (claim) WHERE claim IS NOT NULL;
CREATE INDEX outbox_mails_by_expiry ON outbox_mails (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE mail_attempts (
  mail_id TEXT NOT NULL REFERENCES outbox_mails (id),
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  failure TEXT,
  detail TEXT,
  PRIMARY KEY (mail_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_open ON deliveries (institution_id, state, created_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_events_by_institution ON outbox_events (institution_id, id);
`;
