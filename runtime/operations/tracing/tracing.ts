import type { Tracer, Store, Writes } from "../../store/ports/index.ts";
import { AsyncLocalStorage } from "node:async_hooks";

export interface TracingOptions {
  /** Where traces are sent; default: what `OTEL_EXPORTER_OTLP_ENDPOINT` says, else a collector on this machine. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly version: string;
  /** A sampler of the specification. `parentbased_`: a caller that sends `traceparent` decides. */
  readonly sampler: string;
  /** The share of traces that the samplers by ratio record: 0 to 1. */
  readonly sampleRatio: number;
  /** Receives why traces do not arrive, at most once a minute. */
  onProblem(message: string): void;
}

/** Tracing that is on. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left. Rejects where that does not succeed. */
  close(): Promise<void>;
}

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
