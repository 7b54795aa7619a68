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

/**
 * The engine's tables say topic, group and recipient: they were named after the bank's accounts, customers and representatives.
 * Only databases of the bank are so old; later steps of these tables are the engine's.
 */
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
  migrations: [topicsAndGroups, partnerPortal, operatorDesk],
  sqlite: { derived: [accountBlocks, transactionMarks], triggers: listingTriggers },
  postgres: { derived: [accountMarks, transactionMarks], lookups: [fullAccount] },
  verify: verifyRules,
};
