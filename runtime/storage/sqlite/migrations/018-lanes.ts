/**
 * Events are delivered by lane, one for each user who makes subscriptions, so that no user waits for another (D-57). The
 * indexes lead from an account or a customer to its lanes, and within a lane from one subscription to the next.
 */
export const lanes = `
ALTER TABLE subscription_accounts ADD COLUMN lane TEXT NOT NULL DEFAULT '-';
UPDATE subscription_accounts SET lane = (
  SELECT user_name FROM subscriptions s
  WHERE s.institution_id = subscription_accounts.institution_id AND s.id = subscription_accounts.subscription_id
);
DROP INDEX subscription_accounts_by_number;
DROP INDEX subscription_accounts_by_customer;
CREATE INDEX subscription_accounts_by_number
  ON subscription_accounts (institution_id, account_number, lane, subscription_id);
CREATE INDEX subscription_accounts_by_customer
  ON subscription_accounts (institution_id, customer_id, lane, subscription_id, account_number);

CREATE TABLE lane_events (
  event_id TEXT NOT NULL REFERENCES events (id),
  lane TEXT NOT NULL,
  institution_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  after_subscription_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (event_id, lane)
) STRICT;
CREATE INDEX lane_events_in_order ON lane_events (lane, position, event_id);
CREATE INDEX lane_events_by_institution ON lane_events (institution_id, created_at);
CREATE INDEX lane_events_by_position ON lane_events (position);

CREATE TABLE full_lanes (
  lane TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  full_since INTEGER,
  mailed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX full_lanes_by_institution ON full_lanes (institution_id, full_since) WHERE full_since IS NOT NULL;

CREATE TABLE cancellations (
  subscription_id TEXT NOT NULL PRIMARY KEY,
  institution_id TEXT NOT NULL REFERENCES institutions (id),
  until INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('REVOKED', 'DELETED', 'NOT_RESUMED', 'TEST'))
) STRICT;
`;
