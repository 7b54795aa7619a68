import { listingTriggers } from "./books/listing/triggers.ts";
import { verifyRules } from "./books/verify/index.ts";
import { accountBlocks, accountMarks, transactionMarks } from "./tables/marks.ts";
import {
  institutions,
  invitations,
  proposals,
  subscriptionTopics,
  type Lookup,
  type Schema,
  type SchemaStep,
} from "../runtime/store/tables/index.ts";
import {
  accounts,
  beneficiaries,
  categories,
  customers,
  legalReps,
  portalLogins,
  postings,
  shareHolders,
  transactions,
} from "./tables/index.ts";

/** An account with what a full answer about it names: its parent, customer, institution and legal representatives. */
export const fullAccount: Lookup = {
  table: accounts,
  beside: [
    { table: accounts, by: [accounts.columnOf("institutionId"), accounts.columnOf("parentId")] },
    { table: customers, by: [accounts.columnOf("institutionId"), accounts.columnOf("customerId")] },
    { table: institutions, by: [accounts.columnOf("institutionId")] },
    {
      table: legalReps,
      by: [accounts.columnOf("institutionId"), accounts.columnOf("legalRepIds")],
      isList: true,
    },
  ],
};

const topicsAndGroupsSql = `
INSERT INTO subscription_topics (institution_id, subscription_id, topic, topic_group, lane)
  SELECT institution_id, subscription_id, account_number, customer_id, lane FROM subscription_accounts;
DROP TABLE subscription_accounts;
ALTER TABLE users RENAME COLUMN customer_ids TO seen_groups;
ALTER TABLE deliveries RENAME COLUMN account_numbers TO topics;
ALTER TABLE event_sequences RENAME COLUMN account_number TO topic;
ALTER TABLE events RENAME COLUMN account_numbers TO topics;
ALTER TABLE events RENAME COLUMN customer_id TO topic_group;
ALTER TABLE outbox_events RENAME COLUMN account_numbers TO topics;
ALTER TABLE outbox_events RENAME COLUMN customer_id TO topic_group;
UPDATE events SET other_payloads = replace(other_payloads, '"accountNumber":', '"topic":')
  WHERE other_payloads IS NOT NULL;
UPDATE outbox_events SET other_payloads = replace(other_payloads, '"accountNumber":', '"topic":')
  WHERE other_payloads IS NOT NULL;
DROP INDEX outbox_mails_by_legal_rep;
ALTER TABLE outbox_mails RENAME COLUMN legal_rep_id TO recipient_id;
CREATE INDEX outbox_mails_by_recipient ON outbox_mails (institution_id, recipient_id, kind, state, id)
  WHERE recipient_id IS NOT NULL;
`;

/** The engine's tables say topic, group and recipient: they were named after the bank's accounts, customers and representatives. */
const topicsAndGroups: SchemaStep = {
  name: "topics-and-groups",
  adds: [subscriptionTopics],
  sql: { sqlite: topicsAndGroupsSql, postgres: topicsAndGroupsSql },
  renamed: { users: { customerIds: "groups" } },
};

/** Partners are shown a webhook secret once, and invited by a link. */
const partnerPortal: SchemaStep = {
  name: "partner-portal",
  adds: [invitations],
  sql: {
    sqlite: "ALTER TABLE subscriptions ADD COLUMN secret_shown_at INTEGER;\n",
    postgres: "ALTER TABLE subscriptions ADD COLUMN secret_shown_at BIGINT;\n",
  },
};

const listIndexesSql = `
CREATE INDEX legal_reps_by_customer ON legal_reps (institution_id, customer_id, id);
CREATE INDEX share_holders_by_customer ON share_holders (institution_id, customer_id, id);
CREATE INDEX beneficiaries_of_account ON beneficiaries (institution_id, account_id, id);
CREATE INDEX transactions_by_creation ON transactions (institution_id, created_at, id);
`;

/** Operators list people, beneficiaries and transactions, and approve what others propose. */
const operatorDesk: SchemaStep = {
  name: "operator-desk",
  adds: [proposals],
  sql: { sqlite: listIndexesSql, postgres: listIndexesSql },
};

/** Cancellations bind by the generation of their subscription alone. */
const cancellationsByGeneration: SchemaStep = {
  name: "cancellations-by-generation",
  sql: {
    sqlite: "ALTER TABLE cancellations DROP COLUMN until;\n",
    postgres: "ALTER TABLE cancellations DROP COLUMN until;\n",
  },
};

const keysByStateSql = `
CREATE INDEX device_keys_by_state ON device_keys (user_name, status, created_at, key_id);
DROP INDEX device_keys_by_user;
`;

/** However many keys a user has revoked, the others are found at once. */
const keysByState: SchemaStep = {
  name: "keys-by-state",
  sql: { sqlite: keysByStateSql, postgres: keysByStateSql },
};

const deadBySubscriptionSql = `
CREATE INDEX deliveries_dead_by_subscription ON deliveries (subscription_id, created_at, id)
  WHERE died_at IS NOT NULL;
`;

/** Dead letters stay: those of others are not passed over to find a subscription's. */
const deadBySubscription: SchemaStep = {
  name: "dead-by-subscription",
  sql: { sqlite: deadBySubscriptionSql, postgres: deadBySubscriptionSql },
};

const urgentMailsSql = `
CREATE INDEX outbox_mails_urgent ON outbox_mails (expires_at) WHERE next_attempt_at IS NOT NULL;
`;

/** One-time passwords are sent ahead of mails that stay valid. */
const urgentMails: SchemaStep = {
  name: "urgent-mails",
  sql: { sqlite: urgentMailsSql, postgres: urgentMailsSql },
};

/** What the bank keeps. A new table is a row of `tables`, and a step that `adds` it to databases that are there. */
export const schema: Schema = {
  tables: [
    accounts,
    beneficiaries,
    categories,
    customers,
    legalReps,
    portalLogins,
    postings,
    shareHolders,
    transactions,
  ],
  migrations: [
    topicsAndGroups,
    partnerPortal,
    operatorDesk,
    cancellationsByGeneration,
    keysByState,
    deadBySubscription,
    urgentMails,
  ],
  sqlite: { derived: [accountBlocks, transactionMarks], triggers: listingTriggers },
  postgres: { derived: [accountMarks, transactionMarks], lookups: [fullAccount] },
  verify: verifyRules,
};
