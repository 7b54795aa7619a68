import type {
  AuditTrail,
  Finder,
  Inserter,
  Replacer,
  StoreTransaction,
  SubscriptionTarget,
} from "../ports/index.ts";
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
  customers: ({ customers }: StoreTransaction, { finder }: Auditing) => ({
    ...customers,
    ...finder(tables.customers, customers),
  }),
  legalReps: ({ legalReps }: StoreTransaction, { finder }: Auditing) => ({
    ...legalReps,
    ...finder(tables.legalReps, legalReps),
  }),
  shareHolders: ({ shareHolders }: StoreTransaction, { finder }: Auditing) => ({
    ...shareHolders,
    ...finder(tables.shareHolders, shareHolders),
  }),
  beneficiaries: ({ beneficiaries }: StoreTransaction, { finder }: Auditing) => ({
    ...beneficiaries,
    ...finder(tables.beneficiaries, beneficiaries),
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
    { subscriptions, subscriptionTargets }: StoreTransaction,
    { changed, finder }: Auditing,
  ): StoreTransaction["subscriptions"] => ({
    ...subscriptions,
    ...finder(tables.subscriptions, subscriptions),
    changeAll: async (institutionId, ids, changes) => {
      const targets: AuditedTable<SubscriptionTarget> = tables.subscriptions;
      const before = await subscriptionTargets.find(institutionId, ids);
      await subscriptions.changeAll(institutionId, ids, changes);
      // At once: the statements travel together.
      await Promise.all(before.map((each) => changed(targets, each, { ...each, ...changes })));
    },
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
  const changer = <R extends object>(
    table: AuditedTable<R>,
    into: Inserter<R> & Replacer<R>,
    find: (record: R) => Promise<R | undefined>,
  ): Inserter<R> & Replacer<R> => ({
    ...inserter(table, into),
    async replace(record) {
      const before = await find(record);
      await into.replace(record, before);
      await changed(table, before, record);
    },
  });
  const finder = <R extends { readonly institutionId: string; readonly id: string }>(
    table: AuditedTable<R>,
    collection: Finder<R> & Inserter<R> & Replacer<R>,
  ): Finder<R> & Inserter<R> & Replacer<R> => {
    const { find, before } = finding(collection);
    return { find, ...changer(table, collection, before) };
  };
  return { changed, inserter, changer, finder };
}

/**
 * A change is compared with the record that its handler found: a record that a transaction has read is unchanged when
 * it commits, unless it has changed it itself.
 */
function finding<R extends { readonly institutionId: string; readonly id: string }>(
  collection: Finder<R>,
): { readonly find: Finder<R>["find"]; readonly before: (record: R) => Promise<R | undefined> } {
  const found = new Map<string, R>();
  return {
    async find(institutionId, id) {
      const record = await collection.find(institutionId, id);
      if (record !== undefined) found.set(nameOf(institutionId, id), record);
      return record;
    },
    async before({ institutionId, id }) {
      const name = nameOf(institutionId, id);
      const known = found.get(name);
      found.delete(name);
      return known ?? collection.find(institutionId, id);
    },
  };
}

function nameOf(institutionId: string, id: string): string {
  return `${institutionId}\n${id}`;
}
