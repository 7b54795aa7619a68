/** A stored result says whose it is, so that it goes with its institution to another database. */
export const whoseAnswers = `
ALTER TABLE answers ADD COLUMN institution_id TEXT;
`;
