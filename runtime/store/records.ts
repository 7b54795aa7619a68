/**
 * The records that the engine itself keeps. Times are milliseconds since the Unix epoch (UTC);
 * identifiers are opaque strings. Every record belongs to one
 * institution, and no query crosses institutions.
 */

export type * from "./records/access.ts";
export type * from "./records/events.ts";
export type * from "./records/deliveries.ts";
export type * from "./records/audit.ts";
