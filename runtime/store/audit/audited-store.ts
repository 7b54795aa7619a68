import type { AuditTrail, Writes } from "../ports/index.ts";
import type { Table, TableAudit } from "../tables/index.ts";

/**
 * A transaction whose changes leave an audit entry each, in the same commit, as the rules of their tables say: code that
 * writes through it cannot forget one. A change without difference leaves none. Tables without a
 * rule leave none: where an entry covers several tables, the application's own steps record it.
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
    // What a transaction has read is unchanged unless it has changed it itself.
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
