import type { Reads, Writes } from "../ports/index.ts";
import type { QueryValue } from "../tables/query.ts";
import type { ColumnValue } from "../tables/index.ts";
import type { ReadEngine, WriteEngine } from "./engine.ts";

/** Asks an engine the questions of the port. */
export function readsOf(engine: ReadEngine): Reads {
  return {
    one: async (query, ...values) => engine.one(query, columnValues(values)),
    many: async (query, ...values) => engine.many(query, columnValues(values)),
    count: async (query, ...values) => engine.count(query, columnValues(values)),
    page: async (page) =>
      "query" in page ? engine.many(page.query, columnValues(page.values)) : page.from(engine),
  };
}

/** Runs `work` with a transaction over an engine; once it has ended, the transaction refuses everything. */
export async function withTransaction<T>(engine: WriteEngine, work: (tx: Writes) => Promise<T>): Promise<T> {
  let isOpen = true;
  const opened = (): WriteEngine => {
    if (!isOpen) throw new Error("the transaction has ended: await everything it does before returning");
    return engine;
  };
  const tx: Writes = {
    one: async (query, ...values) => opened().one(query, columnValues(values)),
    many: async (query, ...values) => opened().many(query, columnValues(values)),
    count: async (query, ...values) => opened().count(query, columnValues(values)),
    page: async (page) =>
      "query" in page ? opened().many(page.query, columnValues(page.values)) : page.from(opened()),
    insert: async (table, ...records) => {
      for (const record of records) table.requireNew(record);
      return opened().insertAll(table, records);
    },
    put: async (table, ...records) => opened().putAll(table, records),
    replace: async (table, record, before) => opened().replace(table, record, before),
    update: async (query, changes, ...values) => opened().update(query, changes, columnValues(values)),
    take: async (query, ...values) => opened().take(query, columnValues(values)),
    remove: async (query, ...values) => opened().remove(query, columnValues(values)),
  };
  try {
    return await work(tx);
  } finally {
    isOpen = false;
  }
}

/** Lists of texts travel as JSON. */
function columnValues(values: readonly QueryValue[]): readonly ColumnValue[] {
  return values.map((value) => (isList(value) ? JSON.stringify(value) : value));
}

function isList(value: QueryValue): value is readonly string[] {
  return Array.isArray(value);
}
