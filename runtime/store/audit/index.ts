import type {
  AuditTrail,
  Writes,
  AuditDraft,
  AuditQuery,
  AuditRecord,
  Reads,
  Clock,
} from "../ports/index.ts";
import {
  type Table,
  type TableAudit,
  auditAfter,
  auditEntries,
  auditHead,
  auditListing,
  auditNumberAt,
  type StoredAuditRecord,
} from "../tables/index.ts";
import { auditHash } from "../common/chains.ts";

/**
 * A transaction whose changes leave an audit entry each, in the same commit, by the rules of their tables. Code that
 * writes through it cannot forget one. A change without difference leaves none, and so does a table without a rule:
 * the application's own steps record entries that cover several tables.
 */
// oxlint-disable-next-line max-lines-per-function -- a table of the changes of a transaction, which share one trail
export function auditedStore(tx: Writes, trail: AuditTrail): Writes {
  async function added<R>({ audit }: Table<R>, records: readonly R[]): Promise<void> {
    if (audit === undefined) return;
    for (const record of records) {
      const { subjectType } = audit;
      const changes = audit.changesBetween(undefined, record);
      await trail.record({ subjectType, subjectId: audit.subjectOf(record), changes, isFirst: true });
    }
  }

  async function changed<R>(
    audit: TableAudit<R>,
    before: Partial<R> | undefined,
    after: Partial<R> | undefined,
  ): Promise<void> {
    const record = after ?? before;
    if (record === undefined) return;
    const changes = audit.changesBetween(before, after);
    if (changes.length === 0) return;
    await trail.record({ subjectType: audit.subjectType, subjectId: audit.subjectOf(record), changes });
  }

  /** The record that is stored with the key of one. */
  function stored<R>(table: Table<R>, record: R): Promise<R | undefined> {
    return tx.one(table.byKey, ...table.encodeColumns(record, table.key));
  }

  return {
    ...tx,
    insert: async (table, ...records) => {
      await tx.insert(table, ...records);
      await added(table, records);
    },
    put: async (table, ...records) => {
      const { audit } = table;
      if (audit === undefined) return tx.put(table, ...records);
      const before = await Promise.all(records.map((record) => stored(table, record)));
      await tx.put(table, ...records);
      for (const [index, record] of records.entries()) await changed(audit, before[index], record);
    },
    // A record that a transaction has read is unchanged unless the transaction changed it.
    replace: async (table, record, found) => {
      const { audit } = table;
      if (audit === undefined) return tx.replace(table, record, found);
      const before = found ?? (await stored(table, record));
      await tx.replace(table, record, before);
      await changed(audit, before, record);
    },
    update: async (query, changes, ...values) => {
      const { audit } = query.table;
      if (audit === undefined) return tx.update(query, changes, ...values);
      const before = await tx.many(audit.narrowed(query, changes), ...values);
      const count = await tx.update(query, changes, ...values);
      // At once: the statements travel together.
      await Promise.all(before.map((each) => changed(audit, each, { ...each, ...changes })));
      return count;
    },
    take: async (query, ...values) => {
      const { audit } = query.table;
      const taken = await tx.take(query, ...values);
      if (audit !== undefined) for (const record of taken) await changed(audit, record, undefined);
      return taken;
    },
    remove: async (query, ...values) => {
      const { audit } = query.table;
      if (audit === undefined) return tx.remove(query, ...values);
      const before = await tx.many(query, ...values);
      await tx.remove(query, ...values);
      for (const record of before) await changed(audit, record, undefined);
    },
  };
}

/** Links an entry to the chain of its subject. A subject that is wrongly called new is refused by its taken position. */
export async function appendAudit(tx: Writes, { isFirst, ...entry }: AuditDraft): Promise<void> {
  const { institutionId, subjectType, subjectId } = entry;
  const head = isFirst ? undefined : await tx.one(auditHead, institutionId, subjectType, subjectId, 1);
  const place = { position: (head?.position ?? 0) + 1, previousHash: head?.hash ?? "" };
  const hash = auditHash(entry, place);
  await tx.insert(auditEntries, { ...entry, position: place.position, hash });
}

/** A page of an institution's entries, the newest first; with `after`, the oldest first. */
export async function readAudit(view: Reads, query: AuditQuery): Promise<readonly AuditRecord[]> {
  return (await view.page(auditListing(query))).map(numbered);
}

/**
 * The position of the last entry of a subject whose number is below this one; 0 if all are above. Numbers follow positions,
 * so few entries are read.
 */
export async function positionBelow(
  view: Reads,
  { institutionId, type, id }: { readonly institutionId: string; readonly type: string; readonly id: string },
  number: number,
): Promise<number> {
  let [low, high] = [0, (await view.one(auditHead, institutionId, type, id, 1))?.position ?? 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [entry] = await view.many(auditNumberAt, institutionId, type, id, middle);
    if ((entry?.number ?? Infinity) < number) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Entries of all institutions after a sequence, the oldest first. */
export async function readAuditAfter(
  view: Reads,
  sequence: number,
  limit: number,
): Promise<readonly AuditRecord[]> {
  return (await view.many(auditAfter, sequence, limit)).map(numbered);
}

function numbered({ sequence, number, ...entry }: StoredAuditRecord): AuditRecord {
  if (sequence === undefined || number === undefined) throw new Error("an audit entry without its numbers");
  return { sequence, number, ...entry };
}

/** The service itself as the actor of a change, with the institution and the reason. */
interface SystemActor {
  readonly institutionId: string;
  /** Name of the action, such as `endpoint-gone` or `ledger-server operator`. */
  readonly operation: string;
  readonly clock: Pick<Clock, "now">;
}

/** As auditedBySystem, of what concerns several institutions alike: each has the entries in its own log. */
export function auditedByAll(
  store: Writes,
  {
    institutionIds,
    operation,
    clock,
  }: Omit<SystemActor, "institutionId"> & { readonly institutionIds: readonly string[] },
): Writes {
  return auditedStore(store, {
    async record(change) {
      for (const institutionId of institutionIds)
        await appendAudit(store, { ...change, institutionId, operation, changedAt: clock.now() });
    },
  });
}

/** A transaction whose changes leave audit entries without a user: the actor `system`. */
export function auditedBySystem(store: Writes, { institutionId, operation, clock }: SystemActor): Writes {
  return auditedStore(store, {
    record: (change) => appendAudit(store, { ...change, institutionId, operation, changedAt: clock.now() }),
  });
}
