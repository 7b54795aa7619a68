import { institutions } from "./access.ts";
import { oneOf, optional, sealed, text, time } from "./column.ts";
import { queryOf } from "./query.ts";
import { defineTable } from "./table.ts";

/** A change that one operator proposes and another one decides. Only what concerns the decision ever changes. */
export interface ProposalRecord {
  readonly id: string;
  readonly institutionId: string;
  /** The method that is to be called. */
  readonly operation: string;
  /** Its payload, as JSON text. */
  readonly payload: string;
  /** SHA-256 of institution, operation and payload, in hexadecimal digits. */
  readonly digest: string;
  readonly note?: string;
  readonly proposedBy: string;
  readonly state: "OPEN" | "APPROVED" | "REJECTED" | "WITHDRAWN";
  readonly expiresAt: number;
  /** `expiresAt` as long as nobody has decided it. */
  readonly openUntil?: number;
  readonly decidedBy?: string;
  readonly decidedAt?: number;
  readonly reason?: string;
  readonly createdAt: number;
}

export const proposals = defineTable<ProposalRecord>({
  name: "proposals",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    operation: text("operation"),
    payload: sealed(text("payload")),
    digest: text("digest"),
    note: optional(text("note")),
    proposedBy: text("proposed_by"),
    state: oneOf("state", ["OPEN", "APPROVED", "REJECTED", "WITHDRAWN"]),
    expiresAt: time("expires_at"),
    openUntil: optional(time("open_until")),
    decidedBy: optional(text("decided_by")),
    decidedAt: optional(time("decided_at")),
    reason: optional(text("reason")),
    createdAt: time("created_at"),
  },
  key: ["institutionId", "id"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  indexes: { proposals_open: { by: ["institutionId", "openUntil"], present: "openUntil" } },
  audited: {
    subjectType: "proposal",
    by: "id",
    fields: {
      id: "silent",
      institutionId: "silent",
      createdAt: "silent",
      operation: "value",
      payload: "hidden",
      digest: "value",
      note: "hidden",
      proposedBy: "value",
      state: "value",
      expiresAt: "value",
      openUntil: "silent",
      decidedBy: "value",
      decidedAt: "value",
      reason: "hidden",
    },
  },
});

/** Read to be decided: two who decide it at once wait for each other. */
export const proposalForDecision = { ...proposals.byKey, locks: "wait" as const };
export const proposalById = proposals.byKey;
/** The newest first, after an identifier. */
export const proposalsNewestFirst = queryOf(proposals, ["institutionId"], {
  order: ["id"],
  descending: true,
  limited: true,
  after: true,
});
/** Those that can still be decided at a time. */
export const openProposals = queryOf(proposals, ["institutionId", ["openUntil", ">"]], {
  present: "openUntil",
});
