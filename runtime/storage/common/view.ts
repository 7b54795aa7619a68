import type { AuditQuery, AuditRecord, StoreView } from "../../ports/index.ts";
import { subscriptionsAfter, subscriptionsOfInstitution } from "./delivery-queries.ts";
import { deliveryView } from "./delivery-view.ts";
import type { MaybePromise, ReadEngine } from "./engine.ts";
import * as queries from "./queries.ts";
import type { Query } from "./queries.ts";
import { hashOf } from "../tables/column.ts";
import type { StoredAuditRecord } from "../tables/index.ts";

/** API keys of one user that are read, at most. Those that are still valid are the two that were made last (D-18). */
const apiKeysShownMax = 1_000;

/** Answers the port's questions from an engine. */
// oxlint-disable-next-line max-lines-per-function -- a table of the questions of the port, one a line
export function storeView(engine: ReadEngine): StoreView {
  const findScoped = <R>(query: Query<R>) => ({
    find: async (institutionId: string, id: string) => engine.one(query, [institutionId, id]),
  });
  const findGlobal = <R>(query: Query<R>) => ({ find: async (id: string) => engine.one(query, [id]) });

  return {
    ...deliveryView(engine),
    institutions: {
      ...findGlobal(queries.institutionById),
      list: async () => engine.many(queries.institutionsByName, []),
    },
    customers: {
      ...findScoped(queries.customerById),
      list: async (institutionId, limit, after) =>
        after === undefined
          ? engine.many(queries.customersOfInstitution, [institutionId, limit])
          : engine.many(queries.customersAfter, [institutionId, after, limit]),
    },
    legalReps: {
      ...findScoped(queries.legalRepById),
      findMany: async (institutionId, ids) => {
        const found = await engine.many(queries.legalRepsByIds, [institutionId, JSON.stringify(ids)]);
        const byId = new Map(found.map((legalRep) => [legalRep.id, legalRep]));
        return ids.flatMap((id) => byId.get(id) ?? []);
      },
    },
    shareHolders: findScoped(queries.shareHolderById),
    beneficiaries: {
      ...findScoped(queries.beneficiaryById),
      list: async (...key) => engine.many(queries.beneficiariesOfAccount, key),
      count: async (...key) => engine.count(queries.beneficiariesOfAccount, key),
    },
    categories: { findByName: async (...key) => engine.one(queries.categoryByName, key) },
    sources: {
      ...findScoped(queries.sourceById),
      findBySource: async (...key) => engine.one(queries.sourceByName, key),
    },
    accounts: {
      ...findScoped(queries.accountById),
      findByNumber: async (...key) => engine.one(queries.accountByNumber, key),
      findByNumbers: async (institutionId, numbers) =>
        engine.many(queries.accountsByNumbers, [institutionId, JSON.stringify(numbers)]),
      list: async (query) => engine.listAccounts(query),
    },
    transactions: {
      ...findScoped(queries.transactionById),
      findByReference: async (...key) => engine.one(queries.transactionByReference, key),
      list: async (query) => engine.listTransactions(query),
      hasPendingCredit: async (...key) =>
        (await engine.many(queries.pendingCredits, [...key, "PENDING", 1])).length > 0,
    },
    postings: { ofTransaction: async (...key) => engine.many(queries.postingsOfTransaction, key) },
    audit: {
      list: async (query) => (await auditPage(engine, query)).map(numbered),
      after: async (sequence, limit) =>
        (await engine.many(queries.auditAfter, [sequence, limit])).map(numbered),
    },
    chainRoots: { latest: async () => engine.one(queries.latestRoot, [1]) },
    users: {
      ...findGlobal(queries.userByName),
      list: async (institutionId, realm, limit, after) =>
        after === undefined
          ? engine.many(queries.usersOfInstitution, [institutionId, realm, limit])
          : engine.many(queries.usersAfter, [institutionId, realm, after, limit]),
    },
    apiKeys: {
      ...findGlobal(queries.apiKeyById),
      ofUser: async (userName) =>
        (await engine.many(queries.lastApiKeysOfUser, [userName, apiKeysShownMax])).toReversed(),
    },
    deviceKeys: {
      ...findGlobal(queries.deviceKeyById),
      ofUser: async (userName) => engine.many(queries.deviceKeysOfUser, [userName]),
    },
    keyUses: { ofUser: async (userName) => engine.many(queries.keyUsesOfUser, [userName]) },
    registrations: {
      find: async (otpToken) => {
        const found = await engine.one(queries.registrationByToken, [hashOf(otpToken)]);
        return found && { ...found, otpToken };
      },
    },
    portalLogins: findScoped(queries.portalLoginByLegalRep),
    subscriptions: {
      ...findScoped(queries.subscriptionById),
      list: async (institutionId, limit, after) =>
        after === undefined
          ? engine.many(subscriptionsOfInstitution, [institutionId, limit])
          : engine.many(subscriptionsAfter, [institutionId, after.createdAt, after.id, limit]),
      ofUser: async (...key) => engine.many(queries.subscriptionsOfUser, key),
      listOfUser: async (institutionId, userName, limit, after) =>
        after === undefined
          ? engine.many(queries.subscriptionsOfUserPage, [institutionId, userName, limit])
          : engine.many(queries.subscriptionsOfUserAfter, [
              institutionId,
              userName,
              after.createdAt,
              after.id,
              limit,
            ]),
    },
    outboxEvents: {
      list: async (limit) => engine.many(queries.oldestEvents, [limit]),
      countOf: async (institutionId) => engine.count(queries.eventsOfInstitution, [institutionId]),
      oldestOf: async (institutionId) => engine.one(queries.eventsOfInstitution, [institutionId, 1]),
    },
    outboxMails: {
      find: async (...key) => engine.one(queries.mailOfInstitution, key),
      list: async (asked) => {
        const { query, values } = queries.mailListing(asked);
        return engine.many(query, values);
      },
      due: async (...values) => engine.many(queries.dueMails, values),
      dueAfter: async (...values) => engine.many(queries.mailsDueAfter, values),
      expired: async (...values) => engine.many(queries.expiredMails, values),
      ofNobody: async (limit) => engine.many(queries.mailsOfNobody, [limit]),
      countPending: async () => engine.count(queries.dueMails, [Number.MAX_SAFE_INTEGER]),
      countIn: async (...values) => engine.count(queries.mailsInState, values),
      oldestIn: async (...values) => engine.one(queries.mailsInState, [...values, 1]),
    },
    mailAttempts: { of: async (mailId) => engine.many(queries.attemptsOfMail, [mailId]) },
    answers: findGlobal(queries.answerByHash),
    nonces: { countOf: async (...key) => engine.count(queries.noncesOf, key) },
  };
}

function auditPage(
  engine: ReadEngine,
  { institutionId, subject, before, after, limit }: AuditQuery,
): MaybePromise<readonly StoredAuditRecord[]> {
  const { all, allBefore, subject: ofSubject, subjectBefore, allAfter, subjectAfter } = queries.auditPages;
  if (after !== undefined) {
    return subject === undefined
      ? engine.many(allAfter, [institutionId, after, limit])
      : engine.many(subjectAfter, [institutionId, subject.type, subject.id, after, limit]);
  }
  const place = before === undefined ? [limit] : [before, limit];
  if (subject === undefined) {
    return engine.many(before === undefined ? all : allBefore, [institutionId, ...place]);
  }
  const key = [institutionId, subject.type, subject.id];
  return engine.many(before === undefined ? ofSubject : subjectBefore, [...key, ...place]);
}

function numbered({ sequence, number, ...entry }: StoredAuditRecord): AuditRecord {
  if (sequence === undefined || number === undefined) throw new Error("an audit entry without its numbers");
  return { sequence, number, ...entry };
}
