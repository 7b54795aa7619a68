/**
 * Mails are kept until they are sent, with their attempts, as deliveries are. Those that wait keep their time, and have
 * the whole retry schedule before them; whose they are is known where there is one institution. The defaults are for
 * processes of the release before. An index counts what waits of an institution, and finds the oldest.
 */
export const keptMails = `
ALTER TABLE outbox_mails ALTER COLUMN next_attempt_at DROP NOT NULL;
ALTER TABLE outbox_mails
  ADD COLUMN institution_id TEXT COLLATE "C",
  ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT 'unknown',
  ADD COLUMN user_name TEXT COLLATE "C",
  ADD COLUMN legal_rep_id TEXT COLLATE "C",
  ADD COLUMN state TEXT COLLATE "C" NOT NULL DEFAULT 'PENDING',
  ADD COLUMN failures BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN claim TEXT COLLATE "C",
  ADD COLUMN failed_at BIGINT,
  ADD COLUMN sent_at BIGINT,
  ADD COLUMN expires_at BIGINT;
UPDATE outbox_mails SET institution_id = (SELECT min(id) FROM institutions HAVING count(*) = 1);
CREATE INDEX outbox_mails_by_time ON outbox_mails (institution_id, created_at, id);
CREATE INDEX outbox_mails_by_state ON outbox_mails (institution_id, state, created_at, id);
CREATE INDEX outbox_mails_by_legal_rep ON outbox_mails (institution_id, legal_rep_id, kind, state, id)
  WHERE legal_rep_id IS NOT NULL;
CREATE INDEX outbox_mails_claimed ON outbox_mails (claim) WHERE claim IS NOT NULL;
CREATE INDEX outbox_mails_by_expiry ON outbox_mails (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE mail_attempts (
  mail_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  failure TEXT COLLATE "C",
  detail TEXT COLLATE "C",
  PRIMARY KEY (mail_id, number),
  FOREIGN KEY (mail_id) REFERENCES outbox_mails (id)
);

CREATE INDEX deliveries_open ON deliveries (institution_id, state, created_at) WHERE due_at IS NOT NULL;
`;
