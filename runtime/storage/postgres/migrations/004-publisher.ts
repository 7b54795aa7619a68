/** The process that takes events from the outbox holds this row: one process at a time, while the others go on sending. */
export const publisher = `
INSERT INTO gate VALUES (2, 0);
`;
