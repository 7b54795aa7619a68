import type { VerifyRules } from "../common/verify/rules.ts";
import { type ColumnShape, type TableShape, inOrder, defineTable } from "./table.ts";
import { oncePer } from "../../contract/values.ts";
import { apiKeys, deviceKeys, institutions, invitations, keyUses, registrations, users } from "./access.ts";
import { auditEntries, chainRoots } from "./audit.ts";
import {
  cancellations,
  deliveries,
  deliveryAttempts,
  endpointHealth,
  eventSequences,
  events,
  fullLanes,
  laneEvents,
  serviceKeys,
} from "./deliveries.ts";
import {
  answers,
  mailAttempts,
  nonces,
  outboxEvents,
  outboxMails,
  sources,
  subscriptionTopics,
  subscriptions,
} from "./events.ts";
import { proposals } from "./proposals.ts";
import { count, defaulting, oneOf, text, time } from "./column.ts";
import type { SchemaStep } from "./steps.ts";

/** What an application keeps in a store, beside what the engine keeps itself. Handed to the store when it is opened. */
export interface Schema {
  readonly tables: readonly TableShape[];
  /** Its own steps, oldest first. Never edited once they are released: every database records their checksums. */
  readonly migrations: readonly SchemaStep[];
  readonly sqlite?: Derived & {
    /** The text of each trigger by name. */
    readonly triggers: ReadonlyMap<string, string>;
  };
  readonly postgres?: Derived & { readonly lookups?: readonly Lookup[] };
  /** What `verify` compares in its tables, beside their audit entries. */
  readonly verify?: VerifyRules;
}

/** What one kind of database keeps beside the tables. */
interface Derived {
  /** Tables that are derived from the others for the sake of speed: a move leaves them out. */
  readonly derived: readonly TableShape[];
}

/** A record that most of its readers ask more records after: PostgreSQL finds all of them by one statement, for many readers. */
export interface Lookup {
  /** The record that is asked for first, by its key. */
  readonly table: TableShape;
  readonly beside: readonly Beside[];
}

/** Records that another one names. */
export interface Beside {
  readonly table: TableShape;
  /** The columns of the other one that hold the key, in its order. */
  readonly by: readonly ColumnShape[];
  /** Whether the last of them holds a list, as JSON: a record for each of its texts. */
  readonly isList?: boolean;
}

/** The tables of the engine's own records. */
const engineTables: readonly TableShape[] = [
  apiKeys,
  deviceKeys,
  institutions,
  invitations,
  keyUses,
  registrations,
  users,
  auditEntries,
  chainRoots,
  cancellations,
  deliveries,
  deliveryAttempts,
  endpointHealth,
  eventSequences,
  events,
  fullLanes,
  laneEvents,
  serviceKeys,
  answers,
  mailAttempts,
  nonces,
  outboxEvents,
  outboxMails,
  proposals,
  sources,
  subscriptionTopics,
  subscriptions,
];

/** Every table of records: the engine's, then the application's, none before one that it refers to. */
export const recordTables: (schema: Schema) => readonly TableShape[] = oncePer(({ tables }) =>
  inOrder([...engineTables, ...tables]),
);

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
