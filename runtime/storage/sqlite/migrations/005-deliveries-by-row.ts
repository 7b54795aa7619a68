/**
 * Deliveries are written in the order of their rows, and their indexes hold row numbers instead of identifiers. The
 * states are compared one by one: for a list of more than two, SQLite makes a table each time it checks.
 */
export const deliveriesByRow = `
ALTER TABLE deliveries RENAME TO former_deliveries;
ALTER TABLE delivery_attempts RENAME TO former_delivery_attempts;

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
  created_at INTEGER NOT NULL,
  UNIQUE (event_id, subscription_id)
) STRICT;
INSERT INTO deliveries SELECT * FROM former_deliveries ORDER BY id;

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
INSERT INTO delivery_attempts SELECT * FROM former_delivery_attempts;

DROP TABLE former_delivery_attempts;
DROP TABLE former_deliveries;
CREATE INDEX deliveries_by_time ON deliveries (institution_id, created_at, id);
CREATE INDEX deliveries_by_subscription ON deliveries (subscription_id, created_at, id);
CREATE INDEX deliveries_due ON deliveries (state, subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_in_order ON deliveries (subscription_id, ordering_key, sequence)
  WHERE ordering_key IS NOT NULL;
CREATE INDEX deliveries_dead ON deliveries (institution_id, created_at, id) WHERE died_at IS NOT NULL;
`;
