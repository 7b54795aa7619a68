import { Registry } from "prom-client";

/** Counters of the process, by operation and error code. */
export interface Metrics {
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  return { registry: new Registry() };
}
