export { accounts, beneficiaries, categories } from "../../../ledger/tables/accounts.ts";
export { apiKeys, deviceKeys, keyUses, portalLogins, registrations, users } from "./access.ts";
export { auditEntries, chainRoots, type StoredAuditRecord } from "./audit.ts";
export type { ColumnType, ColumnValue, SealedPart } from "./column.ts";
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
export { customers, institutions, legalReps, shareHolders } from "../../../ledger/tables/parties.ts";
export type { ColumnShape, FieldOf, Table, TablePart, TableShape } from "./table.ts";
export { postings, transactions } from "../../../ledger/tables/transactions.ts";
