import type { Reads, Store, Writes } from "../../../runtime/store/ports/index.ts";
import type { ChangeOptions } from "../fault.ts";
import { collectionsOf, withCollections, type Collections } from "./collections.ts";

/** Tables of a store that are changed: those for reading in views and transactions, the others in transactions alone. */
export interface StoreChanges {
  readonly reading?: (view: Collections) => Partial<Collections>;
  readonly writing?: (tx: Collections) => Partial<Collections>;
}

/** A store some of whose tables are changed. `reading` changes no table that `writing` changes. */
export function changedStore(store: Store, { reading, writing }: StoreChanges): Store {
  const changedView = (view: Reads): Reads => withCollections(view, reading?.(collectionsOf(view)) ?? {});
  const changedTransaction = (tx: Writes): Writes => {
    const all = collectionsOf(tx);
    return withCollections(tx, { ...reading?.(all), ...writing?.(all) });
  };
  return {
    ...store,
    read: (work) => store.read((view) => work(changedView(view))),
    write: (work, options) => store.write((tx) => work(changedTransaction(tx)), options),
  };
}

/** The pipeline works on a store some of whose tables are changed. */
export function withStore(changes: StoreChanges): ChangeOptions {
  return (options) => ({
    ...options,
    ports: { ...options.ports, store: changedStore(options.ports.store, changes) },
  });
}
