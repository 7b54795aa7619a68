/**
 * Cancellations are bound by the generation of the subscription that a delivery was made in: a bound by the clock misses
 * some, or reaches too far, after the clock was set back. Those that are under way, and of a process of the
 * release before, keep their bound.
 */
export const generations = `
ALTER TABLE subscriptions ADD COLUMN generation BIGINT;
ALTER TABLE deliveries ADD COLUMN generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cancellations ADD COLUMN generation BIGINT NOT NULL DEFAULT 9007199254740991;
`;
