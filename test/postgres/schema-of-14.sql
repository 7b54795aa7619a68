CREATE TABLE institutions (
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE users (
  user_name TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  customer_ids TEXT COLLATE "C",
  otp_failures BIGINT NOT NULL,
  otp_locked_until BIGINT,
  created_at BIGINT NOT NULL,
  realm TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (user_name),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE INDEX users_by_institution ON users (institution_id, realm, user_name);
CREATE TABLE api_keys (
  id TEXT COLLATE "C" NOT NULL,
  user_name TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  PRIMARY KEY (id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
CREATE INDEX api_keys_by_user ON api_keys (user_name, created_at, id);
CREATE TABLE device_keys (
  key_id TEXT COLLATE "C" NOT NULL,
  user_name TEXT COLLATE "C" NOT NULL,
  public_key_pem TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  fingerprint_json TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  PRIMARY KEY (key_id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
CREATE INDEX device_keys_by_user ON device_keys (user_name, created_at, key_id);
CREATE TABLE key_uses (
  user_name TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (user_name, key_id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
CREATE TABLE registrations (
  otp_token TEXT COLLATE "C" NOT NULL,
  user_name TEXT COLLATE "C" NOT NULL,
  otp_hash TEXT COLLATE "C" NOT NULL,
  failures BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (otp_token),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
CREATE TABLE audit_entries (
  sequence BIGINT,
  number BIGINT,
  institution_id TEXT COLLATE "C" NOT NULL,
  subject_type TEXT COLLATE "C" NOT NULL,
  subject_id TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  changed_at BIGINT NOT NULL,
  user_name TEXT COLLATE "C",
  key_id TEXT COLLATE "C",
  changes TEXT COLLATE "C" NOT NULL,
  content_hash TEXT COLLATE "C",
  hash TEXT COLLATE "C" NOT NULL,
  recorded_at BIGINT NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT,
  PRIMARY KEY (institution_id, subject_type, subject_id, position)
);
CREATE UNIQUE INDEX audit_entries_by_sequence ON audit_entries (sequence);
CREATE INDEX audit_entries_by_institution ON audit_entries (institution_id, number) WHERE number IS NOT NULL;
CREATE INDEX audit_entries_without_number ON audit_entries (sequence, recorded_at) WHERE number IS NULL;
CREATE TABLE chain_roots (
  sequence BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (sequence)
);
CREATE TABLE cancellations (
  subscription_id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  until BIGINT NOT NULL,
  generation BIGINT NOT NULL DEFAULT 9007199254740991,
  reason TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (subscription_id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE TABLE events (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  account_numbers TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  payload_json TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  relayed_at BIGINT NOT NULL,
  revision TEXT COLLATE "C",
  other_payloads TEXT COLLATE "C",
  trace_parent TEXT COLLATE "C",
  PRIMARY KEY (id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE TABLE deliveries (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  subscription_id TEXT COLLATE "C" NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  event_name TEXT COLLATE "C" NOT NULL,
  account_numbers TEXT COLLATE "C" NOT NULL,
  sequence BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  due_at BIGINT,
  claim TEXT COLLATE "C",
  ordering_key TEXT COLLATE "C",
  died_at BIGINT,
  delivered_at BIGINT,
  created_at BIGINT NOT NULL,
  generation BIGINT NOT NULL DEFAULT 0,
  cancel_reason TEXT COLLATE "C",
  PRIMARY KEY (id),
  UNIQUE (event_id, subscription_id),
  FOREIGN KEY (event_id) REFERENCES events (id)
);
CREATE INDEX deliveries_by_time ON deliveries (institution_id, created_at, id);
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, created_at, id);
CREATE INDEX deliveries_due ON deliveries (state, subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, ordering_key, sequence) WHERE ordering_key IS NOT NULL;
CREATE INDEX deliveries_dead ON deliveries (institution_id, created_at, id) WHERE died_at IS NOT NULL;
CREATE INDEX deliveries_open ON deliveries (institution_id, state, created_at) WHERE due_at IS NOT NULL;
CREATE TABLE delivery_attempts (
  delivery_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  status BIGINT,
  failure TEXT COLLATE "C",
  detail TEXT COLLATE "C",
  response TEXT COLLATE "C",
  response_truncated BOOLEAN NOT NULL,
  PRIMARY KEY (delivery_id, number),
  FOREIGN KEY (delivery_id) REFERENCES deliveries (id)
);
CREATE TABLE endpoint_health (
  institution_id TEXT COLLATE "C" NOT NULL,
  subscription_id TEXT COLLATE "C" NOT NULL,
  delivered BIGINT NOT NULL,
  failed_attempts BIGINT NOT NULL,
  dead_letters BIGINT NOT NULL,
  last_delivered_at BIGINT,
  last_failed_at BIGINT,
  last_failure TEXT COLLATE "C",
  failing_since BIGINT,
  judge_at BIGINT,
  paused_until BIGINT,
  PRIMARY KEY (subscription_id)
);
CREATE INDEX endpoint_health_to_judge ON endpoint_health (judge_at) WHERE judge_at IS NOT NULL;
CREATE TABLE event_sequences (
  subscription_id TEXT COLLATE "C" NOT NULL,
  account_number TEXT COLLATE "C" NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (subscription_id, account_number)
);
CREATE TABLE full_lanes (
  lane TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  full_since BIGINT,
  mailed_at BIGINT NOT NULL,
  PRIMARY KEY (lane),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE INDEX full_lanes_by_institution ON full_lanes (institution_id, full_since) WHERE full_since IS NOT NULL;
CREATE TABLE lane_events (
  event_id TEXT COLLATE "C" NOT NULL,
  lane TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  after_subscription_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (event_id, lane),
  FOREIGN KEY (event_id) REFERENCES events (id)
);
CREATE INDEX lane_events_in_order ON lane_events (lane, position, event_id);
CREATE INDEX lane_events_by_institution ON lane_events (institution_id, created_at);
CREATE INDEX lane_events_by_position ON lane_events (position);
CREATE TABLE service_keys (
  key_id TEXT COLLATE "C" NOT NULL,
  algorithm TEXT COLLATE "C" NOT NULL,
  public_key_pem TEXT COLLATE "C" NOT NULL,
  private_key_sealed TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  retired_at BIGINT,
  PRIMARY KEY (key_id)
);
CREATE TABLE answers (
  request_hash TEXT COLLATE "C" NOT NULL,
  result_json TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  institution_id TEXT COLLATE "C",
  PRIMARY KEY (request_hash)
);
CREATE INDEX answers_by_creation ON answers (created_at);
CREATE TABLE outbox_mails (
  id TEXT COLLATE "C" NOT NULL,
  message_sealed TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL,
  next_attempt_at BIGINT,
  created_at BIGINT NOT NULL,
  institution_id TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL DEFAULT 'unknown',
  user_name TEXT COLLATE "C",
  legal_rep_id TEXT COLLATE "C",
  state TEXT COLLATE "C" NOT NULL DEFAULT 'PENDING',
  failures BIGINT NOT NULL DEFAULT 0,
  claim TEXT COLLATE "C",
  failed_at BIGINT,
  sent_at BIGINT,
  expires_at BIGINT,
  PRIMARY KEY (id)
);
CREATE INDEX outbox_mails_by_attempt ON outbox_mails (next_attempt_at);
CREATE INDEX outbox_mails_by_time ON outbox_mails (institution_id, created_at, id);
CREATE INDEX outbox_mails_by_state ON outbox_mails (institution_id, state, created_at, id);
CREATE INDEX outbox_mails_by_legal_rep ON outbox_mails (institution_id, legal_rep_id, kind, state, id) WHERE legal_rep_id IS NOT NULL;
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
CREATE TABLE nonces (
  owner TEXT COLLATE "C" NOT NULL,
  nonce TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner, nonce)
);
CREATE INDEX nonces_by_expiry ON nonces (expires_at);
CREATE TABLE outbox_events (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  account_numbers TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  payload_json TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  revision TEXT COLLATE "C",
  other_payloads TEXT COLLATE "C",
  trace_parent TEXT COLLATE "C",
  sequence BIGINT NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT,
  PRIMARY KEY (id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE INDEX outbox_events_by_institution ON outbox_events (institution_id, id);
CREATE INDEX outbox_events_in_order ON outbox_events (sequence);
CREATE TABLE sources (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  events TEXT COLLATE "C" NOT NULL,
  key_ids TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, source),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE TABLE subscriptions (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  user_name TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  callback_url TEXT COLLATE "C" NOT NULL,
  events TEXT COLLATE "C" NOT NULL,
  group_id TEXT COLLATE "C" NOT NULL,
  remarks TEXT COLLATE "C",
  secret_sealed TEXT COLLATE "C" NOT NULL,
  enabled BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  former_secret_sealed TEXT COLLATE "C",
  former_secret_until BIGINT,
  disabled_at BIGINT,
  ordered BOOLEAN NOT NULL,
  revision TEXT COLLATE "C",
  disabled_reason TEXT COLLATE "C",
  generation BIGINT,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
CREATE INDEX subscriptions_by_creation ON subscriptions (institution_id, created_at, id);
CREATE INDEX subscriptions_by_user ON subscriptions (institution_id, user_name, created_at, id);
CREATE TABLE subscription_accounts (
  institution_id TEXT COLLATE "C" NOT NULL,
  subscription_id TEXT COLLATE "C" NOT NULL,
  account_number TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C",
  lane TEXT COLLATE "C" NOT NULL DEFAULT '-',
  PRIMARY KEY (institution_id, subscription_id, account_number),
  FOREIGN KEY (institution_id, subscription_id) REFERENCES subscriptions (institution_id, id)
);
CREATE INDEX subscription_accounts_by_number ON subscription_accounts (institution_id, account_number, lane, subscription_id);
CREATE INDEX subscription_accounts_by_customer ON subscription_accounts (institution_id, customer_id, lane, subscription_id, account_number);
CREATE TABLE customers (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  date_established TEXT COLLATE "C",
  general_business_description TEXT COLLATE "C",
  monthly_projection TEXT COLLATE "C",
  identification TEXT COLLATE "C" NOT NULL,
  contact TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  date_of_birth TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE INDEX customers_by_name ON customers (institution_id, name);
CREATE TABLE accounts (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  number TEXT COLLATE "C" NOT NULL,
  nick_name TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  category TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  ledger_minor BIGINT NOT NULL,
  hold_minor BIGINT NOT NULL,
  pre_auth_minor BIGINT NOT NULL,
  minimum_minor BIGINT NOT NULL,
  sub_ledger_code TEXT COLLATE "C" NOT NULL,
  tags TEXT COLLATE "C" NOT NULL,
  final BOOLEAN NOT NULL,
  parent_id TEXT COLLATE "C",
  legal_rep_ids TEXT COLLATE "C" NOT NULL,
  gl_account TEXT COLLATE "C" NOT NULL,
  demand_deposit BOOLEAN NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  verified BOOLEAN NOT NULL,
  minimum_route_approvers BIGINT NOT NULL,
  new_route_alert BOOLEAN NOT NULL,
  ce_transaction_number TEXT COLLATE "C" NOT NULL,
  account_level TEXT COLLATE "C" NOT NULL,
  account_finder_sync BOOLEAN NOT NULL,
  gl_verified BOOLEAN NOT NULL,
  shadow BOOLEAN NOT NULL,
  sweep BOOLEAN NOT NULL,
  program TEXT COLLATE "C" NOT NULL,
  product_id TEXT COLLATE "C" NOT NULL,
  external_ledger BOOLEAN NOT NULL,
  custodial_customer_id TEXT COLLATE "C",
  custodial_type TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  institution_owned BOOLEAN,
  posting_position BIGINT NOT NULL DEFAULT 0,
  posting_hash TEXT COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, number),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id),
  FOREIGN KEY (institution_id, parent_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, custodial_customer_id) REFERENCES customers (institution_id, id)
);
CREATE INDEX accounts_by_creation ON accounts (institution_id, created_at, id);
CREATE INDEX accounts_by_customer ON accounts (institution_id, customer_id, created_at, id);
CREATE INDEX accounts_by_name ON accounts (institution_id, name, created_at, id);
CREATE TABLE legal_reps (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  phone_number TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id)
);
CREATE TABLE beneficiaries (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  legal_rep_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  first_name TEXT COLLATE "C" NOT NULL,
  last_name TEXT COLLATE "C" NOT NULL,
  account_number TEXT COLLATE "C" NOT NULL,
  account_type TEXT COLLATE "C" NOT NULL,
  contact TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  bank_address TEXT COLLATE "C" NOT NULL,
  bank_detail TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  us_correspondent_bank_id TEXT COLLATE "C",
  channel TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id, account_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, legal_rep_id) REFERENCES legal_reps (institution_id, id)
);
CREATE INDEX beneficiaries_by_account ON beneficiaries (institution_id, account_id, legal_rep_id, created_at, id);
CREATE TABLE categories (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, name),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE TABLE portal_logins (
  legal_rep_id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  user_name TEXT COLLATE "C" NOT NULL,
  password_hash TEXT COLLATE "C" NOT NULL,
  totp_secret_sealed TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, legal_rep_id),
  FOREIGN KEY (institution_id, legal_rep_id) REFERENCES legal_reps (institution_id, id)
);
CREATE TABLE transactions (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  reference_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  amount_minor BIGINT NOT NULL,
  debtor_account_id TEXT COLLATE "C" NOT NULL,
  creditor_account_id TEXT COLLATE "C" NOT NULL,
  document_json TEXT COLLATE "C" NOT NULL,
  content_hash TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, reference_id),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id),
  FOREIGN KEY (institution_id, debtor_account_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, creditor_account_id) REFERENCES accounts (institution_id, id)
);
CREATE INDEX transactions_by_debtor ON transactions (institution_id, debtor_account_id, created_at, id);
CREATE INDEX transactions_by_creditor ON transactions (institution_id, creditor_account_id, created_at, id);
CREATE INDEX transactions_by_creditor_status ON transactions (institution_id, creditor_account_id, status);
CREATE TABLE postings (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  transaction_id TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  amount_minor BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  position BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (institution_id, account_id, position),
  FOREIGN KEY (institution_id, transaction_id) REFERENCES transactions (institution_id, id),
  FOREIGN KEY (institution_id, account_id) REFERENCES accounts (institution_id, id)
);
CREATE INDEX postings_by_transaction ON postings (institution_id, transaction_id, id, currency, amount_minor, created_at);
CREATE TABLE share_holders (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  identification TEXT COLLATE "C" NOT NULL,
  contact TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  ownership_percent TEXT COLLATE "C",
  date_of_birth TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id)
);
CREATE TABLE account_marks (
  institution_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  before BIGINT NOT NULL,
  PRIMARY KEY (institution_id, created_at, id)
);
CREATE INDEX account_marks_by_count ON account_marks (institution_id, before);
CREATE TABLE transaction_marks (
  institution_id TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  counted BIGINT NOT NULL,
  PRIMARY KEY (institution_id, account_id, created_at, id)
);
CREATE INDEX transaction_marks_by_count ON transaction_marks (institution_id, account_id, counted);
CREATE TABLE seal_keys (
  key_id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  check_sealed TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (key_id)
);
CREATE TABLE audit_numbers (
  id BIGINT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE gate (
  id BIGINT NOT NULL,
  paused_until BIGINT NOT NULL,
  noted_until BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
);
INSERT INTO audit_numbers VALUES (1, 0);
INSERT INTO gate VALUES (2, 0, 0);
CREATE FUNCTION instr(searched TEXT, sought TEXT) RETURNS INTEGER
  LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT strpos(searched, sought)';
