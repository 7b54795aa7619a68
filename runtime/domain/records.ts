/**
 * The records that a store keeps, in domain words. Times are milliseconds since the Unix epoch (UTC); amounts are
 * integer minor units of the record's currency; identifiers are opaque strings. Every record belongs to one
 * institution, and no query crosses institutions (D-08).
 */

export type * from "../../ledger/domain/records/parties.ts";
export type * from "../../ledger/domain/records/accounts.ts";
export type * from "./records/access.ts";
export type * from "./records/events.ts";
export type * from "./records/deliveries.ts";
export type * from "./records/audit.ts";
