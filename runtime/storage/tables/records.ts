export { accounts, beneficiaries, categories } from "../../../ledger/tables/accounts.ts";
export { customers, legalReps, portalLogins, shareHolders } from "../../../ledger/tables/parties.ts";
export { postings, transactions } from "../../../ledger/tables/transactions.ts";
export { apiKeys, deviceKeys, institutions, keyUses, registrations, users } from "./access.ts";
export { auditEntries, chainRoots } from "./audit.ts";
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
