/** Finds what is claimed among a million deliveries that wait: a start releases it. */
export const claims = `
CREATE INDEX deliveries_claimed ON deliveries (claim) WHERE claim IS NOT NULL;
`;
