import type { StoreTransaction } from "../../ports/index.ts";
import {
  deliveryTransaction,
  insertSubscription,
  removeSubscription,
  replaceSubscription,
} from "./delivery-transaction.ts";
import { appendAudit } from "./append-audit.ts";
import { subscriptionsByIds } from "./delivery-queries.ts";
import type { WriteEngine } from "./engine.ts";
import { nonceTransaction } from "./nonce-transaction.ts";
import { planPostings } from "../../../ledger/books/posting-plan.ts";
import * as queries from "./queries.ts";
import * as tables from "../tables/index.ts";
import type { Table } from "../tables/index.ts";
import { engineWhile } from "./transaction-scope.ts";
import { storeView } from "./view.ts";

/** Runs `work` with a transaction over an engine; once it has ended, the transaction refuses everything. */
export async function withTransaction<T>(
  engine: WriteEngine,
  work: (tx: StoreTransaction) => Promise<T>,
): Promise<T> {
  let isOpen = true;
  try {
    return await work(storeTransaction(engineWhile(() => isOpen, engine)));
  } finally {
    isOpen = false;
  }
}

// oxlint-disable-next-line max-lines-per-function -- a table of the questions and changes of the port, one a line
function storeTransaction(engine: WriteEngine): StoreTransaction {
  const view = storeView(engine);
  const inserting = <R>(table: Table<R>) => ({
    insert: async (record: R) => engine.insertAll(table, [record]),
  });
  const changing = <R>(table: Table<R>) => ({
    ...inserting(table),
    replace: async (record: R, before?: R) => engine.replace(table, record, before),
  });

  return {
    ...deliveryTransaction(engine),
    institutions: { ...view.institutions, ...inserting(tables.institutions) },
    customers: { ...view.customers, ...changing(tables.customers) },
    legalReps: { ...view.legalReps, ...changing(tables.legalReps) },
    shareHolders: { ...view.shareHolders, ...changing(tables.shareHolders) },
    beneficiaries: { ...view.beneficiaries, ...changing(tables.beneficiaries) },
    categories: { ...view.categories, ...inserting(tables.categories) },
    sources: { ...view.sources, ...inserting(tables.sources) },
    accounts: {
      ...view.accounts,
      ...changing(tables.accounts),
      insert: async (account) => {
        if (account.ledgerMinor !== 0n)
          throw new Error("accounts.insert: only postings move ledgerMinor from 0");
        await engine.insertAll(tables.accounts, [account]);
      },
    },
    transactions: { ...view.transactions, ...changing(tables.transactions) },
    postings: { ...view.postings, append: async (postings) => engine.append(planPostings(postings)) },
    audit: { ...view.audit, append: async (draft) => appendAudit(engine, draft) },
    chainRoots: { ...view.chainRoots, ...inserting(tables.chainRoots) },
    users: { ...view.users, ...changing(tables.users) },
    apiKeys: { ...view.apiKeys, ...changing(tables.apiKeys) },
    deviceKeys: { ...view.deviceKeys, ...changing(tables.deviceKeys) },
    keyUses: { ...view.keyUses, putAll: async (records) => engine.putAll(tables.keyUses, records) },
    registrations: { ...view.registrations, ...changing(tables.registrations) },
    portalLogins: {
      ...view.portalLogins,
      put: async (login) => engine.putAll(tables.portalLogins, [login]),
      remove: async (...key) => engine.remove(queries.portalLoginByLegalRep, key),
    },
    subscriptions: {
      ...view.subscriptions,
      insert: async (subscription) => insertSubscription(engine, subscription),
      replace: async (subscription, before) => replaceSubscription(engine, subscription, before),
      changeAll: async (institutionId, ids, changes) => {
        await engine.updateAll(subscriptionsByIds, [
          { values: [institutionId, JSON.stringify(ids)], changes },
        ]);
      },
      remove: async (...key) => removeSubscription(engine, ...key),
    },
    outboxEvents: {
      ...view.outboxEvents,
      ...inserting(tables.outboxEvents),
      take: async (limit) => engine.take(queries.oldestEvents, [limit]),
    },
    outboxMails: {
      ...view.outboxMails,
      ...inserting(tables.outboxMails),
      change: async (id, changes) => {
        await engine.updateAll(queries.mailById, [{ values: [id], changes }]);
      },
      changeClaimed: async ({ id, claimedBy, attempts, changes }) => {
        const update = { values: [id, claimedBy, attempts], changes };
        const [touched] = await engine.updateAll(queries.claimedMail, [update]);
        return touched === 1;
      },
      releaseClaims: async (now) => {
        const release = { values: [""], changes: { claimedBy: undefined, dueAt: now } };
        const [touched = 0] = await engine.updateAll(queries.claimedMails, [release]);
        return touched;
      },
      remove: async (id) => {
        await engine.remove(queries.attemptsOfMail, [id]);
        await engine.remove(queries.mailById, [id]);
      },
      removeOfLegalRep: async (institutionId, legalRepId, kind) => {
        const values = [institutionId, legalRepId, kind];
        const found = await Promise.all(
          ["PENDING", "FAILED"].map((state) => engine.many(queries.mailsOfLegalRep, [...values, state])),
        );
        for (const { id } of found.flat()) {
          await engine.remove(queries.attemptsOfMail, [id]);
          await engine.remove(queries.mailById, [id]);
        }
      },
    },
    mailAttempts: {
      ...view.mailAttempts,
      ...inserting(tables.mailAttempts),
      removeUpTo: async (...values) => engine.remove(queries.formerAttemptsOfMail, values),
    },
    answers: {
      ...view.answers,
      ...inserting(tables.answers),
      removeBefore: async (time, limit) => (await engine.take(queries.answersBefore, [time, limit])).length,
      remove: async (requestHash) => engine.remove(queries.answerByHash, [requestHash]),
    },
    nonces: { ...view.nonces, ...nonceTransaction(engine) },
  };
}
