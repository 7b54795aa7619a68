import { schema } from "../../../ledger/schema.ts";
import { apiKeys, deviceKeys, institutions, keyUses, registrations, users } from "./access.ts";
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
import type { TableShape } from "./table.ts";

/** Every table of records: those of the engine, then those of the application. */
export const recordTables: readonly TableShape[] = [
  apiKeys,
  deviceKeys,
  institutions,
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
  sources,
  subscriptionTopics,
  subscriptions,
  ...schema.tables,
];

/** The steps of the application since the baseline, its triggers in SQLite, and what it compares in its tables. */
export const { migrations, sqliteTriggers, verify: verifyRules } = schema;
