/** Tables of the application that the engines still know. */
export { accounts, customers, postings, transactions } from "../../../ledger/tables/index.ts";
