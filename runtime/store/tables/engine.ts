import { count, defaulting, oneOf, text, time } from "./column.ts";
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
