import { oncePer } from "../../contract/once-per.ts";
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
import type { Schema } from "./schema.ts";
import { inOrder, type TableShape } from "./table.ts";

/** The tables of the engine's own records. */
const engineTables: readonly TableShape[] = [
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
];

/** Every table of records: the engine's, then the application's, none before one that it refers to. */
export const recordTables: (schema: Schema) => readonly TableShape[] = oncePer(({ tables }) =>
  inOrder([...engineTables, ...tables]),
);
