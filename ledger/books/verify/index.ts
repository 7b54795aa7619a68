import type { VerifyRules } from "../../../runtime/store/common/index.ts";
import { recordedBankBooks, sqlBankBooks, type AuditedBooks } from "./books.ts";
import { verifyAccounts } from "./accounts.ts";
import { derivedRules } from "./derived.ts";
import { verifyTransactions } from "./transactions.ts";

/** Accounts and transactions against postings, documents and their audit entries. */
export const verifyRules: VerifyRules = {
  subjects: ["account", "transaction"],
  tables: ["accounts", "transactions", "postings"],
  counted: ["accounts", "transactions", "postings"],
  referring: ["postings"],
  derived: derivedRules,
  passes: (source, audit) => {
    const books: AuditedBooks = {
      ...(source.kind === "sql" ? sqlBankBooks(source) : recordedBankBooks(source)),
      audit: (institutionId, only) => audit(institutionId, { only }),
    };
    return [
      {
        part: "accounts, postings, holds",
        table: "accounts",
        count: () => books.count("accounts"),
        verify: (...pass) => verifyAccounts(books, ...pass),
      },
      {
        part: "transactions",
        table: "transactions",
        count: () => books.count("transactions"),
        verify: (...pass) => verifyTransactions(books, ...pass),
      },
    ];
  },
};
