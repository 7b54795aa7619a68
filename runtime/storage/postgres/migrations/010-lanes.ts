/**
 * Events are delivered by lane, one for each user who makes subscriptions, so that no user waits for another (D-57). The
 * indexes lead from an account or a customer to its lanes, and within a lane from one subscription to the next. What a
 * process of the release before adds meanwhile has a lane of its own.
 */
export const lanes = `
ALTER TABLE subscription_accounts ADD COLUMN lane TEXT COLLATE "C" NOT NULL DEFAULT '-';
UPDATE subscription_accounts a SET lane = s.user_name FROM subscriptions s
  WHERE s.institution_id = a.institution_id AND s.id = a.subscription_id;
DROP INDEX subscription_accounts_by_number;
DROP INDEX subscription_accounts_by_customer;
CREATE INDEX subscription_accounts_by_number
  ON subscription_accounts (institution_id, account_number, lane, subscription_id);
CREATE INDEX subscription_accounts_by_customer
  ON subscription_accounts (institution_id, customer_id, lane, subscription_id, account_number);

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

CREATE TABLE full_lanes (
  lane TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  full_since BIGINT,
  mailed_at BIGINT NOT NULL,
  PRIMARY KEY (lane),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
CREATE INDEX full_lanes_by_institution ON full_lanes (institution_id, full_since) WHERE full_since IS NOT NULL;

CREATE TABLE cancellations (
  subscription_id TEXT COLLATE "C" NOT NULL,
  institution_id TEXT COLLATE "C" NOT NULL,
  until BIGINT NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (subscription_id),
  FOREIGN KEY (institution_id) REFERENCES institutions (id)
);
`;
