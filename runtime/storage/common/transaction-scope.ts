import type { WriteEngine } from "./engine.ts";

/** The engine for as long as `isOpen`; afterwards it throws, so that nothing is written outside a transaction. */
export function engineWhile(isOpen: () => boolean, engine: WriteEngine): WriteEngine {
  const opened = (): WriteEngine => {
    if (!isOpen()) throw new Error("the transaction has ended: await everything it does before returning");
    return engine;
  };
  return {
    one: (query, values) => opened().one(query, values),
    many: (query, values) => opened().many(query, values),
    count: (query, values) => opened().count(query, values),
    listAccounts: (query) => opened().listAccounts(query),
    listTransactions: (query) => opened().listTransactions(query),
    insertAll: (table, records) => opened().insertAll(table, records),
    replace: (table, record, before) => opened().replace(table, record, before),
    updateAll: (query, updates) => opened().updateAll(query, updates),
    putAll: (table, records) => opened().putAll(table, records),
    take: (query, values) => opened().take(query, values),
    remove: (query, values) => opened().remove(query, values),
    append: (plan) => opened().append(plan),
  };
}
