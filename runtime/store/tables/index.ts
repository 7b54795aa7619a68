export * from "./access.ts";
export { auditEntries, chainRoots, type StoredAuditRecord } from "./audit.ts";
export { hashOf, type ColumnType, type ColumnValue, type SealedPart } from "./column.ts";
export {
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
export * from "./delivery-queries.ts";
export {
  answers,
  mailAttempts,
  nonces,
  outboxEvents,
  outboxMails,
  sources,
  subscriptionTopics,
  subscriptions,
} from "./events.ts";
export * from "./queries.ts";
export { backlogCountMax, countMax, partRead, type QueryPage, type QueryValue } from "./query.ts";
export type { Beside, Lookup, Schema, SchemaStep } from "./schema.ts";
export type {
  Changes,
  ColumnShape,
  Condition,
  FieldOf,
  PartQuery,
  Query,
  QueryShape,
  Table,
  TableAudit,
  TablePart,
  TableShape,
} from "./table.ts";
