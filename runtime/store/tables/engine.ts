import { institutions } from "./index.ts";
import { count, defaulting, oneOf, optional, text, time } from "./column.ts";
import { defineTable } from "./table.ts";

/** Which key seals, and a text that only this key opens. */
export const sealKeys = defineTable<SealKeyRecord>({
  name: "seal_keys",
  columns: {
    keyId: text("key_id"),
    state: oneOf("state", ["CURRENT", "FORMER"]),
    checkSealed: text("check_sealed"),
    createdAt: time("created_at"),
  },
  key: ["keyId"],
});

interface SealKeyRecord {
  readonly keyId: string;
  readonly state: "CURRENT" | "FORMER";
  readonly checkSealed: string;
  readonly createdAt: number;
}

/** The last number that an audit entry of a database server got: one row, which those who number hold. */
export const auditNumbers = defineTable<{ readonly id: number; readonly last: number }>({
  name: "audit_numbers",
  columns: { id: count("id"), last: count("last") },
  key: ["id"],
});

/** The row of number 2 is held by the process that takes events from the outbox; what else is here, nothing reads. */
export const gate = defineTable<GateRecord>({
  name: "gate",
  columns: {
    id: count("id"),
    pausedUntil: time("paused_until"),
    notedUntil: defaulting(time("noted_until"), 0),
  },
  key: ["id"],
});

interface GateRecord {
  readonly id: number;
  readonly pausedUntil: number;
  readonly notedUntil: number;
}

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
