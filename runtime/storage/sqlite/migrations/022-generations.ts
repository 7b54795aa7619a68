/**
 * Cancellations are bound by the generation of the subscription that a delivery was made in: a bound by the clock misses
 * some, or reaches too far, after the clock was set back. Those that are under way keep their bound.
 */
export const generations = `
ALTER TABLE subscriptions ADD COLUMN generation INTEGER;
ALTER TABLE deliveries ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE cancellations ADD COLUMN generation INTEGER NOT NULL DEFAULT 9007199254740991;
`;
