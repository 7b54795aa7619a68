import type { AuditTrail, Inserter, Replacer, StoreTransaction } from "../../ports/index.ts";
import * as tables from "./audited-tables.ts";
import type { AuditedTable } from "./audited-tables.ts";
import { changesBetween } from "./changes.ts";

/**
 * A transaction whose changes leave an audit entry each, in the same commit: whoever writes through it cannot forget
 * one. A change without difference leaves none. Accounts and transactions are recorded by their own steps, because
 * their entries cover postings too.
 */
export function auditedStore(store: StoreTransaction, trail: AuditTrail): StoreTransaction {
  const audited = auditing(trail);
  const { institutions, customers, legalReps, shareHolders, beneficiaries, categories, sources } = store;
  const { users, apiKeys, deviceKeys, registrations, portalLogins, subscriptions, serviceKeys } = store;

  // Getters: most calls need few of them.
  return {
    ...store,
    get institutions() {
      return { ...institutions, ...audited.inserter(tables.institutions, institutions) };
    },
    get customers() {
      return { ...customers, ...audited.changer(tables.customers, customers, within(customers)) };
    },
    get legalReps() {
      return { ...legalReps, ...audited.changer(tables.legalReps, legalReps, within(legalReps)) };
    },
    get shareHolders() {
      return { ...shareHolders, ...audited.changer(tables.shareHolders, shareHolders, within(shareHolders)) };
    },
    get beneficiaries() {
      const find = within(beneficiaries);
      return { ...beneficiaries, ...audited.changer(tables.beneficiaries, beneficiaries, find) };
    },
    get categories() {
      return { ...categories, ...audited.inserter(tables.categories, categories) };
    },
    get sources() {
      return { ...sources, ...audited.inserter(tables.sources, sources) };
    },
    get users() {
      return { ...users, ...audited.changer(tables.users, users, ({ userName }) => users.find(userName)) };
    },
    get apiKeys() {
      return { ...apiKeys, ...audited.changer(tables.apiKeys, apiKeys, ({ id }) => apiKeys.find(id)) };
    },
    get deviceKeys() {
      const find = ({ keyId }: { readonly keyId: string }) => deviceKeys.find(keyId);
      return { ...deviceKeys, ...audited.changer(tables.deviceKeys, deviceKeys, find) };
    },
    get registrations() {
      const find = ({ otpToken }: { readonly otpToken: string }) => registrations.find(otpToken);
      return { ...registrations, ...audited.changer(tables.registrations, registrations, find) };
    },
    get portalLogins(): StoreTransaction["portalLogins"] {
      return {
        ...portalLogins,
        put: async (login) => {
          const before = await portalLogins.find(login.institutionId, login.legalRepId);
          await portalLogins.put(login);
          await audited.changed(tables.portalLogins, before, login);
        },
        remove: async (institutionId, legalRepId) => {
          const before = await portalLogins.find(institutionId, legalRepId);
          await portalLogins.remove(institutionId, legalRepId);
          await audited.changed(tables.portalLogins, before, undefined);
        },
      };
    },
    get subscriptions(): StoreTransaction["subscriptions"] {
      return {
        ...subscriptions,
        ...audited.changer(tables.subscriptions, subscriptions, within(subscriptions)),
        remove: async (institutionId, id) => {
          const before = await subscriptions.find(institutionId, id);
          await subscriptions.remove(institutionId, id);
          await audited.changed(tables.subscriptions, before, undefined);
        },
      };
    },
    get serviceKeys(): StoreTransaction["serviceKeys"] {
      const find = async (keyId: string) => (await serviceKeys.list()).find((key) => key.keyId === keyId);
      return {
        ...serviceKeys,
        ...audited.changer(tables.serviceKeys, serviceKeys, ({ keyId }) => find(keyId)),
        remove: async (keyId) => {
          const before = await find(keyId);
          await serviceKeys.remove(keyId);
          await audited.changed(tables.serviceKeys, before, undefined);
        },
      };
    },
  };
}

/** Looks up what stands where a record is put. */
function within<R extends { readonly institutionId: string; readonly id: string }>(found: {
  find(institutionId: string, id: string): Promise<R | undefined>;
}): (record: R) => Promise<R | undefined> {
  return ({ institutionId, id }) => found.find(institutionId, id);
}

function auditing(trail: AuditTrail) {
  async function inserted<R extends object>(table: AuditedTable<R>, record: R): Promise<void> {
    const changes = changesBetween(table, undefined, record);
    await trail.record({
      subjectType: table.subjectType,
      subjectId: table.subjectId(record),
      changes,
      isFirst: true,
    });
  }
  async function changed<R extends object>(
    table: AuditedTable<R>,
    before: R | undefined,
    after: R | undefined,
  ): Promise<void> {
    const subject = after ?? before;
    if (subject === undefined) return;
    const changes = changesBetween(table, before, after);
    if (changes.length === 0) return;
    await trail.record({ subjectType: table.subjectType, subjectId: table.subjectId(subject), changes });
  }
  const inserter = <R extends object>(table: AuditedTable<R>, into: Inserter<R>): Inserter<R> => ({
    async insert(record) {
      await into.insert(record);
      await inserted(table, record);
    },
  });
  return {
    changed,
    inserter,
    changer: <R extends object>(
      table: AuditedTable<R>,
      into: Inserter<R> & Replacer<R>,
      find: (record: R) => Promise<R | undefined>,
    ): Inserter<R> & Replacer<R> => ({
      ...inserter(table, into),
      async replace(record) {
        const before = await find(record);
        await into.replace(record);
        await changed(table, before, record);
      },
    }),
  };
}
