/** In which revision of the interface a subscription was made, and an event recorded. */
export const revisions = `
ALTER TABLE subscriptions ADD COLUMN revision TEXT;
ALTER TABLE outbox_events ADD COLUMN revision TEXT;
ALTER TABLE events ADD COLUMN revision TEXT;
`;
