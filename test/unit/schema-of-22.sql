-- The schema of a file that migrations 1 to 22 made (commit cb739801), as SQLite says it.
CREATE TABLE migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT
;
CREATE TABLE institutions (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL
) STRICT
;
;
CREATE TABLE customers (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  type TEXT NOT NULL CHECK (type IN ('BUSINESS', 'CONSUMER')),
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE')),
  date_established TEXT,
  general_business_description TEXT,
  monthly_projection TEXT,
  identification TEXT NOT NULL,
  contact TEXT NOT NULL,
  address TEXT NOT NULL,
  date_of_birth TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id)
) STRICT
;
;
CREATE TABLE legal_reps (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone_number TEXT,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id)
) STRICT
;
;
CREATE TABLE share_holders (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  name TEXT NOT NULL,
  identification TEXT NOT NULL,
  contact TEXT NOT NULL,
  address TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ENABLED', 'DISABLED')),
  ownership_percent TEXT,
  date_of_birth TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id)
) STRICT
;
;
CREATE TABLE categories (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  name TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, name)
) STRICT
;
;
;
CREATE TABLE sources (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  source TEXT NOT NULL,
  events TEXT NOT NULL,
  key_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, source)
) STRICT
;
;
;
CREATE TABLE accounts (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  name TEXT NOT NULL,
  number TEXT NOT NULL,
  nick_name TEXT NOT NULL,
  type TEXT NOT NULL
    CHECK (type IN ('SAVINGS', 'CHECKING', 'WALLET', 'MONEY_MARKET', 'CREDIT_CARD', 'GL', 'CUSTODIAL')),
  status TEXT NOT NULL
    CHECK (status IN ('CREATED', 'ACTIVE', 'CURTAILED', 'DORMANT', 'SUSPENDED', 'BLOCKED', 'CLOSED', 'DISABLED')),
  category TEXT NOT NULL,
  currency TEXT NOT NULL,
  ledger_minor INTEGER NOT NULL,
  hold_minor INTEGER NOT NULL,
  pre_auth_minor INTEGER NOT NULL,
  minimum_minor INTEGER NOT NULL,
  sub_ledger_code TEXT NOT NULL,
  tags TEXT NOT NULL,
  final INTEGER NOT NULL CHECK (final IN (0, 1)),
  parent_id TEXT,
  legal_rep_ids TEXT NOT NULL,
  gl_account TEXT NOT NULL,
  demand_deposit INTEGER NOT NULL CHECK (demand_deposit IN (0, 1)),
  address TEXT NOT NULL,
  verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
  minimum_route_approvers INTEGER NOT NULL,
  new_route_alert INTEGER NOT NULL CHECK (new_route_alert IN (0, 1)),
  ce_transaction_number TEXT NOT NULL,
  account_level TEXT NOT NULL,
  account_finder_sync INTEGER NOT NULL CHECK (account_finder_sync IN (0, 1)),
  gl_verified INTEGER NOT NULL CHECK (gl_verified IN (0, 1)),
  shadow INTEGER NOT NULL CHECK (shadow IN (0, 1)),
  sweep INTEGER NOT NULL CHECK (sweep IN (0, 1)),
  program TEXT NOT NULL,
  product_id TEXT NOT NULL,
  external_ledger INTEGER NOT NULL CHECK (external_ledger IN (0, 1)),
  custodial_customer_id TEXT,
  custodial_type TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, posting_position INTEGER NOT NULL DEFAULT 0, posting_hash TEXT NOT NULL DEFAULT '', institution_owned INTEGER CHECK (institution_owned IN (0, 1)),
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, number),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id),
  FOREIGN KEY (institution_id, parent_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, custodial_customer_id) REFERENCES customers (institution_id, id)
) STRICT
;
;
;
CREATE INDEX accounts_by_creation ON accounts (institution_id, created_at, id)
;
CREATE INDEX accounts_by_customer ON accounts (institution_id, customer_id, created_at, id)
;
CREATE TABLE beneficiaries (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  legal_rep_id TEXT NOT NULL,
  type TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  account_number TEXT NOT NULL,
  account_type TEXT NOT NULL,
  contact TEXT NOT NULL,
  address TEXT NOT NULL,
  bank_address TEXT NOT NULL,
  bank_detail TEXT NOT NULL,
  created_by TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
  us_correspondent_bank_id TEXT,
  channel TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id, account_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, legal_rep_id) REFERENCES legal_reps (institution_id, id)
) STRICT
;
;
CREATE INDEX beneficiaries_by_account
  ON beneficiaries (institution_id, account_id, legal_rep_id, created_at, id)
;
CREATE TABLE transactions (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  reference_id TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('COMPLETED', 'PENDING', 'FAILED', 'DECLINED', 'REJECTED', 'CANCELLED')),
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  debtor_account_id TEXT NOT NULL,
  creditor_account_id TEXT NOT NULL,
  document_json TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, reference_id),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id),
  FOREIGN KEY (institution_id, debtor_account_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, creditor_account_id) REFERENCES accounts (institution_id, id)
) STRICT
;
;
;
CREATE TABLE users (
  user_name TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  email TEXT NOT NULL,
  scopes TEXT NOT NULL,
  customer_ids TEXT,
  otp_failures INTEGER NOT NULL,
  otp_locked_until INTEGER,
  created_at INTEGER NOT NULL
, realm TEXT NOT NULL DEFAULT 'ledger') STRICT
;
;
CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  user_name TEXT NOT NULL REFERENCES users (user_name),
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT
;
;
CREATE INDEX api_keys_by_user ON api_keys (user_name, created_at, id)
;
CREATE TABLE device_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  user_name TEXT NOT NULL REFERENCES users (user_name),
  public_key_pem TEXT,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PENDING', 'REVOKED')),
  fingerprint_json TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT
;
;
CREATE TABLE registrations (
  otp_token TEXT NOT NULL PRIMARY KEY,
  user_name TEXT NOT NULL REFERENCES users (user_name),
  otp_hash TEXT NOT NULL,
  failures INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT
;
;
CREATE TABLE portal_logins (
  legal_rep_id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  totp_secret_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, legal_rep_id),
  FOREIGN KEY (institution_id, legal_rep_id) REFERENCES legal_reps (institution_id, id)
) STRICT
;
;
CREATE TABLE subscriptions (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  user_name TEXT NOT NULL REFERENCES users (user_name),
  name TEXT NOT NULL,
  callback_url TEXT NOT NULL,
  events TEXT NOT NULL,
  group_id TEXT NOT NULL,
  remarks TEXT,
  secret_sealed TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, former_secret_sealed TEXT, former_secret_until INTEGER, disabled_at INTEGER, ordered INTEGER NOT NULL DEFAULT 0 CHECK (ordered IN (0, 1)), revision TEXT, disabled_reason TEXT
  CHECK (disabled_reason IN ('OPERATOR', 'FAILING', 'GONE', 'REVOKED')), generation INTEGER,
  PRIMARY KEY (institution_id, id)
) STRICT
;
;
CREATE TABLE outbox_events (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  account_numbers TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
, revision TEXT, other_payloads TEXT, trace_parent TEXT) STRICT
;
;
CREATE TABLE answers (
  request_hash TEXT NOT NULL PRIMARY KEY,
  result_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
, institution_id TEXT) STRICT
;
;
CREATE INDEX answers_by_creation ON answers (created_at)
;
CREATE TABLE subscription_accounts (
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  account_number TEXT NOT NULL,
  customer_id TEXT, lane TEXT NOT NULL DEFAULT '-',
  PRIMARY KEY (institution_id, subscription_id, account_number),
  FOREIGN KEY (institution_id, subscription_id) REFERENCES subscriptions (institution_id, id)
) STRICT
;
;
CREATE INDEX subscriptions_by_creation ON subscriptions (institution_id, created_at, id)
;
CREATE TABLE events (
  id TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  account_numbers TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  relayed_at INTEGER NOT NULL
, revision TEXT, other_payloads TEXT, trace_parent TEXT) STRICT, WITHOUT ROWID
;
CREATE TABLE event_sequences (
  subscription_id TEXT NOT NULL,
  account_number TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, account_number)
) STRICT, WITHOUT ROWID
;
CREATE TABLE endpoint_health (
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL PRIMARY KEY,
  delivered INTEGER NOT NULL,
  failed_attempts INTEGER NOT NULL,
  dead_letters INTEGER NOT NULL,
  last_delivered_at INTEGER,
  last_failed_at INTEGER,
  last_failure TEXT,
  failing_since INTEGER,
  judge_at INTEGER,
  paused_until INTEGER
) STRICT, WITHOUT ROWID
;
CREATE INDEX endpoint_health_to_judge ON endpoint_health (judge_at) WHERE judge_at IS NOT NULL
;
CREATE TABLE service_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA')),
  public_key_pem TEXT NOT NULL,
  private_key_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT
;
;
CREATE INDEX transactions_by_debtor ON transactions (institution_id, debtor_account_id, created_at, id)
;
CREATE INDEX transactions_by_creditor ON transactions (institution_id, creditor_account_id, created_at, id)
;
CREATE TABLE deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  event_id TEXT NOT NULL REFERENCES events (id),
  event_name TEXT NOT NULL,
  account_numbers TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (
    state = 'PENDING' OR state = 'WAITING' OR state = 'HELD' OR
    state = 'DELIVERED' OR state = 'DEAD' OR state = 'CANCELLED'
  ),
  attempts INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  due_at INTEGER,
  claim TEXT,
  ordering_key TEXT,
  died_at INTEGER,
  delivered_at INTEGER,
  created_at INTEGER NOT NULL, cancel_reason TEXT
  CHECK (cancel_reason IN ('REVOKED', 'DELETED', 'NOT_RESUMED', 'TEST')), generation INTEGER NOT NULL DEFAULT 0,
  UNIQUE (event_id, subscription_id)
) STRICT
;
;
;
CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id),
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  failure TEXT,
  detail TEXT,
  response TEXT,
  response_truncated INTEGER NOT NULL CHECK (response_truncated IN (0, 1)),
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID
;
CREATE INDEX deliveries_by_time ON deliveries (institution_id, created_at, id)
;
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, created_at, id)
;
CREATE INDEX deliveries_due ON deliveries (state, subscription_id, due_at) WHERE due_at IS NOT NULL
;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, ordering_key, sequence)
  WHERE ordering_key IS NOT NULL
;
CREATE INDEX deliveries_dead ON deliveries (institution_id, created_at, id) WHERE died_at IS NOT NULL
;
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
) STRICT, WITHOUT ROWID
;
CREATE INDEX postings_by_transaction
  ON postings (institution_id, transaction_id, id, currency, amount_minor, created_at)
;
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
  hash TEXT NOT NULL, number INTEGER,
  UNIQUE (institution_id, subject_type, subject_id, position)
) STRICT
;
;
CREATE TABLE chain_roots (
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sequence)
) STRICT, WITHOUT ROWID
;
CREATE TABLE nonces (
  owner TEXT NOT NULL,
  nonce TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (owner, nonce)
) STRICT, WITHOUT ROWID
;
CREATE INDEX nonces_by_expiry ON nonces (expires_at)
;
CREATE INDEX accounts_by_name ON accounts (institution_id, name, created_at, id)
;
CREATE INDEX customers_by_name ON customers (institution_id, name)
;
CREATE TABLE account_blocks (
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  accounts INTEGER NOT NULL,
  kinds TEXT,
  PRIMARY KEY (institution_id, created_at, id)
) STRICT, WITHOUT ROWID
;
CREATE TRIGGER institutions_first_block AFTER INSERT ON institutions BEGIN
  INSERT INTO account_blocks VALUES (NEW.id, -9007199254740991, '', 0, char(31));
END
;
CREATE TRIGGER accounts_counted AFTER INSERT ON accounts BEGIN
  INSERT INTO account_blocks
    SELECT NEW.institution_id, NEW.created_at, NEW.id, 0, char(31) FROM (
      SELECT accounts FROM account_blocks WHERE institution_id = NEW.institution_id
      ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS newest
    WHERE newest.accounts >= 1024 AND NOT EXISTS (
      SELECT 1 FROM accounts
      WHERE institution_id = NEW.institution_id AND (created_at, id) > (NEW.created_at, NEW.id)
    );
  UPDATE account_blocks SET accounts = accounts + 1, kinds = CASE
    WHEN kinds IS NULL OR (instr(kinds, char(31) || 's' || NEW.status || char(31)) > 0 AND instr(kinds, char(31) || 't' || NEW.type || char(31)) > 0 AND instr(kinds, char(31) || 'c' || NEW.category || char(31)) > 0 AND instr(kinds, char(31) || 'u' || NEW.currency || char(31)) > 0 AND instr(kinds, char(31) || 'g' || NEW.gl_account || char(31)) > 0) THEN kinds
    WHEN octet_length(kinds) > 4000 THEN NULL
    ELSE kinds || CASE WHEN instr(kinds, char(31) || 's' || NEW.status || char(31)) > 0 THEN '' ELSE 's' || NEW.status || char(31) END || CASE WHEN instr(kinds, char(31) || 't' || NEW.type || char(31)) > 0 THEN '' ELSE 't' || NEW.type || char(31) END || CASE WHEN instr(kinds, char(31) || 'c' || NEW.category || char(31)) > 0 THEN '' ELSE 'c' || NEW.category || char(31) END || CASE WHEN instr(kinds, char(31) || 'u' || NEW.currency || char(31)) > 0 THEN '' ELSE 'u' || NEW.currency || char(31) END || CASE WHEN instr(kinds, char(31) || 'g' || NEW.gl_account || char(31)) > 0 THEN '' ELSE 'g' || NEW.gl_account || char(31) END
  END WHERE institution_id = NEW.institution_id AND (created_at, id) = (
    SELECT created_at, id FROM account_blocks
    WHERE institution_id = NEW.institution_id AND (created_at, id) <= (NEW.created_at, NEW.id)
    ORDER BY created_at DESC, id DESC LIMIT 1
  );
END
;
CREATE TRIGGER accounts_kinds AFTER UPDATE OF status, type, category, currency, gl_account ON accounts
WHEN NEW.status <> OLD.status OR NEW.type <> OLD.type OR NEW.category <> OLD.category
  OR NEW.currency <> OLD.currency OR NEW.gl_account <> OLD.gl_account
BEGIN
  UPDATE account_blocks SET kinds = CASE
    WHEN kinds IS NULL OR (instr(kinds, char(31) || 's' || NEW.status || char(31)) > 0 AND instr(kinds, char(31) || 't' || NEW.type || char(31)) > 0 AND instr(kinds, char(31) || 'c' || NEW.category || char(31)) > 0 AND instr(kinds, char(31) || 'u' || NEW.currency || char(31)) > 0 AND instr(kinds, char(31) || 'g' || NEW.gl_account || char(31)) > 0) THEN kinds
    WHEN octet_length(kinds) > 4000 THEN NULL
    ELSE kinds || CASE WHEN instr(kinds, char(31) || 's' || NEW.status || char(31)) > 0 THEN '' ELSE 's' || NEW.status || char(31) END || CASE WHEN instr(kinds, char(31) || 't' || NEW.type || char(31)) > 0 THEN '' ELSE 't' || NEW.type || char(31) END || CASE WHEN instr(kinds, char(31) || 'c' || NEW.category || char(31)) > 0 THEN '' ELSE 'c' || NEW.category || char(31) END || CASE WHEN instr(kinds, char(31) || 'u' || NEW.currency || char(31)) > 0 THEN '' ELSE 'u' || NEW.currency || char(31) END || CASE WHEN instr(kinds, char(31) || 'g' || NEW.gl_account || char(31)) > 0 THEN '' ELSE 'g' || NEW.gl_account || char(31) END
  END WHERE institution_id = NEW.institution_id AND (created_at, id) = (
    SELECT created_at, id FROM account_blocks
    WHERE institution_id = NEW.institution_id AND (created_at, id) <= (NEW.created_at, NEW.id)
    ORDER BY created_at DESC, id DESC LIMIT 1
  );
END
;
CREATE TRIGGER account_blocks_halved AFTER UPDATE OF accounts ON account_blocks WHEN NEW.accounts >= 2048 BEGIN
  INSERT INTO account_blocks
    SELECT institution_id, created_at, id, NEW.accounts - 1024, NEW.kinds FROM accounts
    WHERE institution_id = NEW.institution_id AND (created_at, id) >= (NEW.created_at, NEW.id)
    ORDER BY created_at, id LIMIT 1 OFFSET 1024;
  UPDATE account_blocks SET accounts = 1024
    WHERE institution_id = NEW.institution_id AND created_at = NEW.created_at AND id = NEW.id;
END
;
CREATE INDEX subscriptions_by_user ON subscriptions (institution_id, user_name, created_at, id)
;
CREATE INDEX transactions_by_creditor_status ON transactions (institution_id, creditor_account_id, status)
;
CREATE TABLE seal_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('CURRENT', 'FORMER')),
  check_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT
;
;
CREATE INDEX device_keys_by_user ON device_keys (user_name, created_at, key_id)
;
CREATE INDEX users_by_institution ON users (institution_id, realm, user_name)
;
CREATE TABLE key_uses (
  user_name TEXT NOT NULL REFERENCES users (user_name),
  key_id TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (user_name, key_id)
) STRICT, WITHOUT ROWID
;
CREATE TABLE transaction_marks (
  institution_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (institution_id, account_id, created_at, id)
) STRICT, WITHOUT ROWID
;
CREATE INDEX transaction_marks_by_count ON transaction_marks (institution_id, account_id, counted)
;
CREATE TRIGGER transactions_unmarked AFTER INSERT ON transactions BEGIN
  DELETE FROM transaction_marks
  WHERE institution_id = NEW.institution_id AND account_id IN (NEW.debtor_account_id, NEW.creditor_account_id)
    AND (created_at, id) > (NEW.created_at, NEW.id);
END
;
CREATE INDEX subscription_accounts_by_number
  ON subscription_accounts (institution_id, account_number, lane, subscription_id)
;
CREATE INDEX subscription_accounts_by_customer
  ON subscription_accounts (institution_id, customer_id, lane, subscription_id, account_number)
;
CREATE TABLE lane_events (
  event_id TEXT NOT NULL REFERENCES events (id),
  lane TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  after_subscription_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (event_id, lane)
) STRICT
;
;
CREATE INDEX lane_events_in_order ON lane_events (lane, position, event_id)
;
CREATE INDEX lane_events_by_institution ON lane_events (institution_id, created_at)
;
CREATE INDEX lane_events_by_position ON lane_events (position)
;
CREATE TABLE full_lanes (
  lane TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  full_since INTEGER,
  mailed_at INTEGER NOT NULL
) STRICT
;
;
CREATE INDEX full_lanes_by_institution ON full_lanes (institution_id, full_since) WHERE full_since IS NOT NULL
;
CREATE TABLE cancellations (
  subscription_id TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  until INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('REVOKED', 'DELETED', 'NOT_RESUMED', 'TEST'))
, generation INTEGER NOT NULL DEFAULT 9007199254740991) STRICT
;
;
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
) STRICT
;
;
CREATE INDEX outbox_mails_by_attempt ON outbox_mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL
;
CREATE INDEX outbox_mails_by_time ON outbox_mails (institution_id, created_at, id)
;
CREATE INDEX outbox_mails_by_state ON outbox_mails (institution_id, state, created_at, id)
;
CREATE INDEX outbox_mails_by_legal_rep ON outbox_mails (institution_id, legal_rep_id, kind, state, id)
  WHERE legal_rep_id IS NOT NULL
;
CREATE INDEX outbox_mails_claimed ON outbox_mails (claim) WHERE claim IS NOT NULL
;
CREATE INDEX outbox_mails_by_expiry ON outbox_mails (expires_at) WHERE expires_at IS NOT NULL
;
CREATE TABLE mail_attempts (
  mail_id TEXT NOT NULL REFERENCES outbox_mails (id),
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  failure TEXT,
  detail TEXT,
  PRIMARY KEY (mail_id, number)
) STRICT, WITHOUT ROWID
;
CREATE INDEX deliveries_open ON deliveries (institution_id, state, created_at) WHERE due_at IS NOT NULL
;
CREATE INDEX outbox_events_by_institution ON outbox_events (institution_id, id)
;
CREATE INDEX deliveries_claimed ON deliveries (claim) WHERE claim IS NOT NULL
;
CREATE UNIQUE INDEX audit_entries_by_institution ON audit_entries (institution_id, number)
;
