-- The engine's tables in a new database, before the engine had steps of its own (commit f8b767d3).
CREATE TABLE migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
CREATE TABLE institutions (
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (id)
) STRICT;
CREATE TABLE users (
  user_name TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  email TEXT NOT NULL,
  scopes TEXT NOT NULL,
  seen_groups TEXT,
  otp_failures INTEGER NOT NULL,
  otp_locked_until INTEGER,
  created_at INTEGER NOT NULL,
  realm TEXT NOT NULL,
  PRIMARY KEY (user_name),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT;
CREATE INDEX users_by_institution ON users (institution_id, realm, user_name);
CREATE TABLE api_keys (
  id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
) STRICT;
CREATE INDEX api_keys_by_user ON api_keys (user_name, created_at, id);
CREATE TABLE device_keys (
  key_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  public_key_pem TEXT,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PENDING', 'REVOKED')),
  fingerprint_json TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  PRIMARY KEY (key_id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
) STRICT;
CREATE INDEX device_keys_by_user ON device_keys (user_name, created_at, key_id);
CREATE TABLE invitations (
  user_name TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (user_name),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
) STRICT;
CREATE TABLE key_uses (
  user_name TEXT NOT NULL,
  key_id TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (user_name, key_id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
) STRICT, WITHOUT ROWID;
CREATE TABLE registrations (
  otp_token TEXT NOT NULL,
  user_name TEXT NOT NULL,
  otp_hash TEXT NOT NULL,
  failures INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (otp_token),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
) STRICT;
CREATE TABLE audit_entries (
  sequence INTEGER PRIMARY KEY,
  number INTEGER,
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
CREATE UNIQUE INDEX audit_entries_by_institution ON audit_entries (institution_id, number);
CREATE TABLE chain_roots (
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE cancellations (
  subscription_id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  until INTEGER NOT NULL,
  generation INTEGER NOT NULL DEFAULT 9007199254740991,
  reason TEXT NOT NULL CHECK (reason IN ('REVOKED', 'DELETED', 'NOT_RESUMED', 'TEST')),
  PRIMARY KEY (subscription_id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT;
CREATE TABLE events (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  topics TEXT NOT NULL,
  topic_group TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  relayed_at INTEGER NOT NULL,
  revision TEXT,
  other_payloads TEXT,
  trace_parent TEXT,
  PRIMARY KEY (id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT, WITHOUT ROWID;
CREATE TABLE deliveries (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_name TEXT NOT NULL,
  topics TEXT NOT NULL,
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
  generation INTEGER NOT NULL DEFAULT 0,
  cancel_reason TEXT CHECK (cancel_reason IN ('REVOKED', 'DELETED', 'NOT_RESUMED', 'TEST')),
  PRIMARY KEY (id),
  UNIQUE (event_id, subscription_id),
  FOREIGN KEY (event_id) REFERENCES events (id)
) STRICT;
CREATE INDEX deliveries_by_time ON deliveries (institution_id, created_at, id);
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, created_at, id);
CREATE INDEX deliveries_due ON deliveries (state, subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, ordering_key, sequence) WHERE ordering_key IS NOT NULL;
CREATE INDEX deliveries_dead ON deliveries (institution_id, created_at, id) WHERE died_at IS NOT NULL;
CREATE INDEX deliveries_open ON deliveries (institution_id, state, created_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_claimed ON deliveries (claim) WHERE claim IS NOT NULL;
CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status INTEGER,
  failure TEXT,
  detail TEXT,
  response TEXT,
  response_truncated INTEGER NOT NULL CHECK (response_truncated IN (0, 1)),
  PRIMARY KEY (delivery_id, number),
  FOREIGN KEY (delivery_id) REFERENCES deliveries (id)
) STRICT, WITHOUT ROWID;
CREATE TABLE endpoint_health (
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  delivered INTEGER NOT NULL,
  failed_attempts INTEGER NOT NULL,
  dead_letters INTEGER NOT NULL,
  last_delivered_at INTEGER,
  last_failed_at INTEGER,
  last_failure TEXT,
  failing_since INTEGER,
  judge_at INTEGER,
  paused_until INTEGER,
  PRIMARY KEY (subscription_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX endpoint_health_to_judge ON endpoint_health (judge_at) WHERE judge_at IS NOT NULL;
CREATE TABLE event_sequences (
  subscription_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (subscription_id, topic)
) STRICT, WITHOUT ROWID;
CREATE TABLE full_lanes (
  lane TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  full_since INTEGER,
  mailed_at INTEGER NOT NULL,
  PRIMARY KEY (lane),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT;
CREATE INDEX full_lanes_by_institution ON full_lanes (institution_id, full_since) WHERE full_since IS NOT NULL;
CREATE TABLE lane_events (
  event_id TEXT NOT NULL,
  lane TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  after_subscription_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (event_id, lane),
  FOREIGN KEY (event_id) REFERENCES events (id)
) STRICT;
CREATE INDEX lane_events_in_order ON lane_events (lane, position, event_id);
CREATE INDEX lane_events_by_institution ON lane_events (institution_id, created_at);
CREATE INDEX lane_events_by_position ON lane_events (position);
CREATE TABLE service_keys (
  key_id TEXT NOT NULL,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA')),
  public_key_pem TEXT NOT NULL,
  private_key_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER,
  PRIMARY KEY (key_id)
) STRICT;
CREATE TABLE answers (
  request_hash TEXT NOT NULL,
  result_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  institution_id TEXT,
  PRIMARY KEY (request_hash)
) STRICT;
CREATE INDEX answers_by_creation ON answers (created_at);
CREATE TABLE outbox_mails (
  id TEXT NOT NULL,
  message_sealed TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  institution_id TEXT,
  kind TEXT NOT NULL DEFAULT 'unknown',
  user_name TEXT,
  recipient_id TEXT,
  state TEXT NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'FAILED', 'SENT')),
  failures INTEGER NOT NULL DEFAULT 0,
  claim TEXT,
  failed_at INTEGER,
  sent_at INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (id)
) STRICT;
CREATE INDEX outbox_mails_by_attempt ON outbox_mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbox_mails_by_time ON outbox_mails (institution_id, created_at, id);
CREATE INDEX outbox_mails_by_state ON outbox_mails (institution_id, state, created_at, id);
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (institution_id, recipient_id, kind, state, id) WHERE recipient_id IS NOT NULL;
CREATE INDEX outbox_mails_claimed ON outbox_mails (claim) WHERE claim IS NOT NULL;
CREATE INDEX outbox_mails_by_expiry ON outbox_mails (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE mail_attempts (
  mail_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  failure TEXT,
  detail TEXT,
  PRIMARY KEY (mail_id, number),
  FOREIGN KEY (mail_id) REFERENCES outbox_mails (id)
) STRICT, WITHOUT ROWID;
CREATE TABLE nonces (
  owner TEXT NOT NULL,
  nonce TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (owner, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX nonces_by_expiry ON nonces (expires_at);
CREATE TABLE outbox_events (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  topics TEXT NOT NULL,
  topic_group TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revision TEXT,
  other_payloads TEXT,
  trace_parent TEXT,
  UNIQUE (id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT;
CREATE INDEX outbox_events_by_institution ON outbox_events (institution_id, id);
CREATE TABLE proposals (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  payload TEXT NOT NULL,
  digest TEXT NOT NULL,
  note TEXT,
  proposed_by TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  expires_at INTEGER NOT NULL,
  open_until INTEGER,
  decided_by TEXT,
  decided_at INTEGER,
  reason TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT;
CREATE INDEX proposals_open ON proposals (institution_id, open_until) WHERE open_until IS NOT NULL;
CREATE TABLE sources (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  source TEXT NOT NULL,
  events TEXT NOT NULL,
  key_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (institution_id, id),
  UNIQUE (institution_id, source),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
) STRICT;
CREATE TABLE subscriptions (
  id TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  name TEXT NOT NULL,
  callback_url TEXT NOT NULL,
  events TEXT NOT NULL,
  group_id TEXT NOT NULL,
  remarks TEXT,
  secret_sealed TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  former_secret_sealed TEXT,
  former_secret_until INTEGER,
  disabled_at INTEGER,
  ordered INTEGER NOT NULL CHECK (ordered IN (0, 1)),
  revision TEXT,
  disabled_reason TEXT CHECK (disabled_reason IN ('OPERATOR', 'FAILING', 'GONE', 'REVOKED')),
  generation INTEGER,
  secret_shown_at INTEGER,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
) STRICT;
CREATE INDEX subscriptions_by_creation ON subscriptions (institution_id, created_at, id);
CREATE INDEX subscriptions_by_user ON subscriptions (institution_id, user_name, created_at, id);
CREATE TABLE subscription_topics (
  institution_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  topic_group TEXT,
  lane TEXT NOT NULL DEFAULT '-',
  PRIMARY KEY (institution_id, subscription_id, topic),
  FOREIGN KEY (institution_id, subscription_id) REFERENCES subscriptions (institution_id, id)
) STRICT;
CREATE INDEX subscription_topics_by_topic ON subscription_topics (institution_id, topic, lane, subscription_id);
CREATE INDEX subscription_topics_by_group ON subscription_topics (institution_id, topic_group, lane, subscription_id, topic);
CREATE TABLE seal_keys (
  key_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('CURRENT', 'FORMER')),
  check_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (key_id)
) STRICT;
