/**
 * Indexes of deliveries: by time and by subscription for the operator's lists; what is still to come, for claims;
 * what goes in order; dead letters.
 */
export const deliveries = `
ALTER TABLE subscriptions ADD COLUMN former_secret_sealed TEXT;
ALTER TABLE subscriptions ADD COLUMN former_secret_until INTEGER;
ALTER TABLE subscriptions ADD COLUMN disabled_reason TEXT CHECK (disabled_reason IN ('OPERATOR', 'FAILING', 'GONE'));
ALTER TABLE subscriptions ADD COLUMN disabled_at INTEGER;
ALTER TABLE subscriptions ADD COLUMN ordered INTEGER NOT NULL DEFAULT 0 CHECK (ordered IN (0, 1));

CREATE TABLE subscription_accounts (
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  account_number TEXT NOT NULL,
  customer_id TEXT,
  PRIMARY KEY (institution_id, subscription_id, account_number),
  FOREIGN KEY (institution_id, subscription_id) REFERENCES subscriptions (institution_id, id)
) STRICT;
CREATE INDEX subscription_accounts_by_number
  ON subscription_accounts (institution_id, account_number, subscription_id);
CREATE INDEX subscription_accounts_by_customer
  ON subscription_accounts (institution_id, customer_id, subscription_id);
INSERT INTO subscription_accounts (institution_id, subscription_id, account_number, customer_id)
  SELECT DISTINCT s.institution_id, s.id, n.value, a.customer_id
  FROM subscriptions s, json_each(s.group_id) n
  LEFT JOIN accounts a ON a.institution_id = s.institution_id AND a.number = n.value;
CREATE INDEX subscriptions_by_creation ON subscriptions (institution_id, created_at, id);

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
) STRICT, WITHOUT ROWID;

CREATE TABLE deliveries (
  id TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  event_id TEXT NOT NULL REFERENCES events (id),
  event_name TEXT NOT NULL,
  account_numbers TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'WAITING', 'HELD', 'DELIVERED', 'DEAD', 'CANCELLED')),
  attempts INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  due_at INTEGER,
  claim TEXT,
  ordering_key TEXT,
  died_at INTEGER,
  delivered_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (event_id, subscription_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_time ON deliveries (institution_id, created_at, id);
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, created_at, id);
CREATE INDEX deliveries_due ON deliveries (state, subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, ordering_key, sequence)
  WHERE ordering_key IS NOT NULL;
CREATE INDEX deliveries_dead ON deliveries (institution_id, created_at, id) WHERE died_at IS NOT NULL;

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
) STRICT, WITHOUT ROWID;

CREATE TABLE event_sequences (
  subscription_id TEXT NOT NULL,
  account_number TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, account_number)
) STRICT, WITHOUT ROWID;

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
) STRICT, WITHOUT ROWID;
CREATE INDEX endpoint_health_to_judge ON endpoint_health (judge_at) WHERE judge_at IS NOT NULL;

CREATE TABLE service_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA')),
  public_key_pem TEXT NOT NULL,
  private_key_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;
`;
