import { institutions, count, optional, text, time, defineTable } from "../../runtime/store/tables/index.ts";

interface Place {
  readonly institutionId: string;
  readonly createdAt: number;
  readonly id: string;
}

const place = { institutionId: text("institution_id"), createdAt: time("created_at"), id: text("id") };

/**
 * Blocks of accounts next to each other in the order of lists (by creation, then id). A block is known by its first
 * place; every institution has one from before all accounts. Counts lead to a page without passing over all before it.
 * `kinds` holds the values that a block's accounts have, or had, in fields with few values, each after a letter and between
 * separators; absent: any. A block takes 1,024 accounts; one that is put into the middle may take 2,048, then it is halved.
 */
export const accountBlocks = defineTable<Place & { readonly accounts: number; readonly kinds?: string }>({
  name: "account_blocks",
  columns: { ...place, accounts: count("accounts"), kinds: optional(text("kinds")) },
  key: ["institutionId", "createdAt", "id"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  isClustered: true,
});

/**
 * Marks in the order of lists: how many accounts of the institution are before the one at this place. They lead to a
 * page far behind the first without passing over all before it. An account that is put before marks removes those.
 */
export const accountMarks = defineTable<Place & { readonly before: number }>({
  name: "account_marks",
  columns: { ...place, before: count("before") },
  key: ["institutionId", "createdAt", "id"],
  indexes: { account_marks_by_count: ["institutionId", "before"] },
});

/** Marks in the order of an account's transactions (by creation, then id): how many there are up to this place. */
export const transactionMarks = defineTable<Place & { readonly accountId: string; readonly counted: number }>(
  {
    name: "transaction_marks",
    columns: {
      institutionId: place.institutionId,
      accountId: text("account_id"),
      createdAt: place.createdAt,
      id: place.id,
      counted: count("counted"),
    },
    key: ["institutionId", "accountId", "createdAt", "id"],
    indexes: { transaction_marks_by_count: ["institutionId", "accountId", "counted"] },
    isClustered: true,
  },
);
