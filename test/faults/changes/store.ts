import type { Store, StoreTransaction, StoreView } from "../../../runtime/ports/index.ts";
import type { ChangeOptions } from "../fault.ts";

/** Tables of a store that are changed: those for reading in views and transactions, the others in transactions alone. */
export interface StoreChanges {
  readonly reading?: (view: StoreView) => Partial<StoreView>;
  readonly writing?: (tx: StoreTransaction) => Partial<StoreTransaction>;
}

/** A store some of whose tables are changed. `reading` changes no table that `writing` changes. */
export function changedStore(store: Store, { reading, writing }: StoreChanges): Store {
  const changedView = (view: StoreView): StoreView => ({ ...view, ...reading?.(view) });
  const changedTransaction = (tx: StoreTransaction): StoreTransaction => {
    const read: Partial<StoreView> = reading?.(tx) ?? {};
    return { ...tx, ...merged(tx, read), ...writing?.(tx) };
  };
  return {
    ...store,
    read: (work) => store.read((view) => work(changedView(view))),
    transact: (work, options) => store.transact((tx) => work(changedTransaction(tx)), options),
  };
}

/** What is read of each changed table, beside what is written to it. */
function merged(tx: StoreTransaction, read: Partial<StoreView>): Partial<StoreTransaction> {
  const tables = new Map<string, unknown>(Object.entries(tx));
  return Object.fromEntries(
    Object.entries(read).map(([name, table]) => [name, { ...Object(tables.get(name)), ...table }]),
  );
}

/** The pipeline works on a store some of whose tables are changed. */
export function withStore(changes: StoreChanges): ChangeOptions {
  return (options) => ({
    ...options,
    ports: { ...options.ports, store: changedStore(options.ports.store, changes) },
  });
}
