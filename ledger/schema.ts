import { listingTriggers } from "./books/listing/triggers.ts";
import { verifyRules } from "./books/verify/index.ts";
import { accountBlocks, accountMarks, transactionMarks } from "./tables/marks.ts";
import type { Schema } from "../runtime/store/tables/schema.ts";
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
  postgres: { derived: [accountMarks, transactionMarks] },
  verify: verifyRules,
};
