/** Never edit a migration that was released: its checksum is recorded in every database. Add another one. */
export const initial = `
CREATE TABLE institutions (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;

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
) STRICT;

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
) STRICT;

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
) STRICT;

CREATE TABLE categories (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  name TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, name)
) STRICT;

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
) STRICT;

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
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, number),
  FOREIGN KEY (institution_id, customer_id) REFERENCES customers (institution_id, id),
  FOREIGN KEY (institution_id, parent_id) REFERENCES accounts (institution_id, id),
  FOREIGN KEY (institution_id, custodial_customer_id) REFERENCES customers (institution_id, id)
) STRICT;
CREATE INDEX accounts_by_creation ON accounts (institution_id, created_at, id);
CREATE INDEX accounts_by_customer ON accounts (institution_id, customer_id, created_at, id);

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
) STRICT;
CREATE INDEX beneficiaries_by_account
  ON beneficiaries (institution_id, account_id, legal_rep_id, created_at, id);

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
) STRICT;

CREATE TABLE postings (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, transaction_id, id),
  FOREIGN KEY (institution_id, transaction_id) REFERENCES transactions (institution_id, id),
  FOREIGN KEY (institution_id, account_id) REFERENCES accounts (institution_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_account
  ON postings (institution_id, account_id, created_at, currency, amount_minor);

CREATE TABLE users (
  user_name TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  realm TEXT NOT NULL CHECK (realm IN ('ledger', 'operator')),
  email TEXT NOT NULL,
  scopes TEXT NOT NULL,
  customer_ids TEXT,
  otp_failures INTEGER NOT NULL,
  otp_locked_until INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  user_name TEXT NOT NULL REFERENCES users (user_name),
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_name, created_at, id);

CREATE TABLE device_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  user_name TEXT NOT NULL REFERENCES users (user_name),
  public_key_pem TEXT,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PENDING', 'REVOKED')),
  fingerprint_json TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE registrations (
  otp_token TEXT NOT NULL PRIMARY KEY,
  user_name TEXT NOT NULL REFERENCES users (user_name),
  otp_hash TEXT NOT NULL,
  failures INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE portal_logins (
  legal_rep_id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  totp_secret_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, legal_rep_id),
  FOREIGN KEY (institution_id, legal_rep_id) REFERENCES legal_reps (institution_id, id)
) STRICT;

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
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id)
) STRICT;

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
) STRICT;

CREATE TABLE outbox_mails (
  id TEXT NOT NULL PRIMARY KEY,
  message_sealed TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_mails_by_attempt ON outbox_mails (next_attempt_at);

CREATE TABLE answers (
  request_hash TEXT NOT NULL PRIMARY KEY,
  result_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_creation ON answers (created_at);
`;
