/** Events keep the trace of the call that caused them, so that their webhooks are a part of it. */
export const traceParents = `
ALTER TABLE outbox_events ADD COLUMN trace_parent TEXT COLLATE "C";
ALTER TABLE events ADD COLUMN trace_parent TEXT COLLATE "C";
`;
