import { listingTriggers } from "./books/listing/triggers.ts";
import { verifyRules } from "./books/verify/index.ts";
import { accountBlocks, accountMarks, transactionMarks } from "./tables/marks.ts";
import { institutions } from "../runtime/store/tables/access.ts";
import type { Lookup, Schema } from "../runtime/store/tables/schema.ts";
import {
  accounts,
  beneficiaries,
  categories,
  customers,
  legalReps,
  portalLogins,
  postings,
  shareHolders,
  transactions,
} from "./tables/index.ts";

/** An account with what a full answer about it names: its parent, customer, institution and legal representatives. */
export const fullAccount: Lookup = {
  table: accounts,
  beside: [
    { table: accounts, by: [accounts.columnOf("institutionId"), accounts.columnOf("parentId")] },
    { table: customers, by: [accounts.columnOf("institutionId"), accounts.columnOf("customerId")] },
    { table: institutions, by: [accounts.columnOf("institutionId")] },
    {
      table: legalReps,
      by: [accounts.columnOf("institutionId"), accounts.columnOf("legalRepIds")],
      isList: true,
    },
  ],
};

/** What the bank keeps. A new table is a row of `tables`, and a step that `adds` it to databases that are there. */
export const schema: Schema = {
  tables: [
    accounts,
    beneficiaries,
    categories,
    customers,
    legalReps,
    portalLogins,
    postings,
    shareHolders,
    transactions,
  ],
  migrations: [],
  sqlite: { derived: [accountBlocks, transactionMarks], triggers: listingTriggers },
  postgres: { derived: [accountMarks, transactionMarks], lookups: [fullAccount] },
  verify: verifyRules,
};
