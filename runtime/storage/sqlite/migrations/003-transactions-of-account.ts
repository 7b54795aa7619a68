/** Indexes of transactions by either side: for the list of those of an account. */
export const transactionsOfAccount = `
CREATE INDEX transactions_by_debtor ON transactions (institution_id, debtor_account_id, created_at, id);
CREATE INDEX transactions_by_creditor ON transactions (institution_id, creditor_account_id, created_at, id);
`;
