-- The engine's tables in a new database, before the engine had steps of its own (commit f8b767d3).
CREATE TABLE migrations (
  number BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at BIGINT NOT NULL
);
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
  seen_groups TEXT COLLATE "C",
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
CREATE TABLE invitations (
  user_name TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  PRIMARY KEY (user_name),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
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
  topics TEXT COLLATE "C" NOT NULL,
  topic_group TEXT COLLATE "C" NOT NULL,
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
  topics TEXT COLLATE "C" NOT NULL,
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
  topic TEXT COLLATE "C" NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (subscription_id, topic)
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
  recipient_id TEXT COLLATE "C",
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
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (institution_id, recipient_id, kind, state, id) WHERE recipient_id IS NOT NULL;
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
  topics TEXT COLLATE "C" NOT NULL,
  topic_group TEXT COLLATE "C" NOT NULL,
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
CREATE TABLE proposals (
  id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  digest TEXT COLLATE "C" NOT NULL,
  note TEXT COLLATE "C",
  proposed_by TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  open_until BIGINT,
  decided_by TEXT COLLATE "C",
  decided_at BIGINT,
  reason TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE INDEX proposals_open ON proposals (institution_id, open_until) WHERE open_until IS NOT NULL;
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
  secret_shown_at BIGINT,
  PRIMARY KEY (institution_id, id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id),
  FOREIGN KEY (user_name) REFERENCES users (user_name)
);
CREATE INDEX subscriptions_by_creation ON subscriptions (institution_id, created_at, id);
CREATE INDEX subscriptions_by_user ON subscriptions (institution_id, user_name, created_at, id);
CREATE TABLE subscription_topics (
  institution_id TEXT COLLATE "C" NOT NULL,
  subscription_id TEXT COLLATE "C" NOT NULL,
  topic TEXT COLLATE "C" NOT NULL,
  topic_group TEXT COLLATE "C",
  lane TEXT COLLATE "C" NOT NULL DEFAULT '-',
  PRIMARY KEY (institution_id, subscription_id, topic),
  FOREIGN KEY (institution_id, subscription_id) REFERENCES subscriptions (institution_id, id)
);
CREATE INDEX subscription_topics_by_topic ON subscription_topics (institution_id, topic, lane, subscription_id);
CREATE INDEX subscription_topics_by_group ON subscription_topics (institution_id, topic_group, lane, subscription_id, topic);
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
