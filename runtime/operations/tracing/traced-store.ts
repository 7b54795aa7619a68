import { AsyncLocalStorage } from "node:async_hooks";
import type { Store, Writes, Tracer } from "../../store/ports/index.ts";

/**
 * A store whose reads and transactions are spans of the calls that make them. Work of the service's own, such as the
 * polling of outboxes, belongs to no call and makes none.
 */
export function tracedStore(store: Store, tracer: Tracer, system: string): Store {
  const attributes = { "db.system.name": system };
  return {
    ...store,
    read: (work) =>
      tracer.current() === undefined
        ? store.read(work)
        : tracer.span({ name: "store read", attributes }, () => store.read(work)),
    write: (work, options) =>
      tracer.current() === undefined
        ? store.write(work, options)
        : tracer.span({ name: "store transaction", attributes }, async (span) => {
            let runs = 0;
            // A store may run it among the transactions of other calls.
            const counted = AsyncLocalStorage.bind((tx: Writes) => {
              runs += 1;
              return work(tx);
            });
            const outcome = await store.write(counted, options);
            if (runs > 1) span.set({ "ledger.transaction.runs": runs });
            return outcome;
          }),
  };
}
