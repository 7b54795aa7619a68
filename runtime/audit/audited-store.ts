import type { AuditTrail, Inserter, Replacer, StoreTransaction } from "../ports/index.ts";
import * as tables from "./audited-tables.ts";
import type { AuditedTable } from "./audited-tables.ts";
import { changesBetween } from "./changes.ts";

/**
 * A transaction whose changes leave an audit entry each, in the same commit: code that writes through it cannot forget
 * one. A change without difference leaves none. Accounts and transactions are recorded by their own steps, because
 * their entries cover postings too.
 */
export function auditedStore(store: StoreTransaction, trail: AuditTrail): StoreTransaction {
  const made = new Map<string | symbol, unknown>();
  // Most calls need few of the collections or none: each is made when it is asked for.
  return new Proxy(store, {
    get(target, name) {
      if (!isAudited(name)) return Reflect.get(target, name);
      const known = made.get(name) ?? audited[name](store, auditing(trail));
      made.set(name, known);
      return known;
    },
  });
}

type Auditing = ReturnType<typeof auditing>;

/** The collections whose changes are recorded here. */
const audited = {
  institutions: ({ institutions }: StoreTransaction, { inserter }: Auditing) => ({
    ...institutions,
    ...inserter(tables.institutions, institutions),
  }),
  customers: ({ customers }: StoreTransaction, { changer }: Auditing) => ({
    ...customers,
    ...changer(tables.customers, customers, within(customers)),
  }),
  legalReps: ({ legalReps }: StoreTransaction, { changer }: Auditing) => ({
    ...legalReps,
    ...changer(tables.legalReps, legalReps, within(legalReps)),
  }),
  shareHolders: ({ shareHolders }: StoreTransaction, { changer }: Auditing) => ({
    ...shareHolders,
    ...changer(tables.shareHolders, shareHolders, within(shareHolders)),
  }),
  beneficiaries: ({ beneficiaries }: StoreTransaction, { changer }: Auditing) => ({
    ...beneficiaries,
    ...changer(tables.beneficiaries, beneficiaries, within(beneficiaries)),
  }),
  categories: ({ categories }: StoreTransaction, { inserter }: Auditing) => ({
    ...categories,
    ...inserter(tables.categories, categories),
  }),
  sources: ({ sources }: StoreTransaction, { inserter }: Auditing) => ({
    ...sources,
    ...inserter(tables.sources, sources),
  }),
  users: ({ users }: StoreTransaction, { changer }: Auditing) => ({
    ...users,
    ...changer(tables.users, users, ({ userName }) => users.find(userName)),
  }),
  apiKeys: ({ apiKeys }: StoreTransaction, { changer }: Auditing) => ({
    ...apiKeys,
    ...changer(tables.apiKeys, apiKeys, ({ id }) => apiKeys.find(id)),
  }),
  deviceKeys: ({ deviceKeys }: StoreTransaction, { changer }: Auditing) => ({
    ...deviceKeys,
    ...changer(tables.deviceKeys, deviceKeys, ({ keyId }) => deviceKeys.find(keyId)),
  }),
  registrations: ({ registrations }: StoreTransaction, { changer }: Auditing) => ({
    ...registrations,
    ...changer(tables.registrations, registrations, ({ otpToken }) => registrations.find(otpToken)),
  }),
  portalLogins: (
    { portalLogins }: StoreTransaction,
    { changed }: Auditing,
  ): StoreTransaction["portalLogins"] => ({
    ...portalLogins,
    put: async (login) => {
      const before = await portalLogins.find(login.institutionId, login.legalRepId);
      await portalLogins.put(login);
      await changed(tables.portalLogins, before, login);
    },
    remove: async (institutionId, legalRepId) => {
      const before = await portalLogins.find(institutionId, legalRepId);
      await portalLogins.remove(institutionId, legalRepId);
      await changed(tables.portalLogins, before, undefined);
    },
  }),
  subscriptions: (
    { subscriptions }: StoreTransaction,
    { changed, changer }: Auditing,
  ): StoreTransaction["subscriptions"] => ({
    ...subscriptions,
    ...changer(tables.subscriptions, subscriptions, within(subscriptions)),
    remove: async (institutionId, id) => {
      const before = await subscriptions.find(institutionId, id);
      await subscriptions.remove(institutionId, id);
      await changed(tables.subscriptions, before, undefined);
    },
  }),
  serviceKeys: (
    { serviceKeys }: StoreTransaction,
    { changed, changer }: Auditing,
  ): StoreTransaction["serviceKeys"] => {
    const find = async (keyId: string) => (await serviceKeys.list()).find((key) => key.keyId === keyId);
    return {
      ...serviceKeys,
      ...changer(tables.serviceKeys, serviceKeys, ({ keyId }) => find(keyId)),
      remove: async (keyId) => {
        const before = await find(keyId);
        await serviceKeys.remove(keyId);
        await changed(tables.serviceKeys, before, undefined);
      },
    };
  },
};

function isAudited(name: string | symbol): name is keyof typeof audited {
  return Object.hasOwn(audited, name);
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
