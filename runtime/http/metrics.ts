import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Counters of the process, by operation and error code: every label value comes from a fixed set. */
export interface Metrics {
  /** `Content-Type` of `text()`. */
  readonly contentType: string;
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>;
  /** Counts an answered call. */
  answered(call: AnsweredCall): void;
  connections(interfaceName: string, open: number): void;
}

export interface AnsweredCall {
  readonly interfaceName: string;
  /** Absent where the request named no operation of the interface. */
  readonly method?: string;
  /** Absent on success. */
  readonly code?: string;
  readonly seconds: number;
}

interface Instruments {
  readonly counter: { inc(): void };
  readonly histogram: { observe(seconds: number): void };
}

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** One for the process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "ledger_rpc_requests_total",
    help: "Requests answered, by interface, operation and error code (OK on success).",
    labelNames: ["interface", "method", "code"],
    registers,
  });
  const durations = new Histogram({
    name: "ledger_rpc_request_seconds",
    help: "Time from the request's last byte to its answer, by interface and operation.",
    labelNames: ["interface", "method"],
    buckets,
    registers,
  });
  const open = new Gauge({
    name: "ledger_rpc_connections_open",
    help: "Connections open now, by interface.",
    labelNames: ["interface"],
    registers,
  });
  const calls = new Map<string, Map<string, Instruments>>();

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered({ interfaceName, method = "none", code = "OK", seconds }) {
      const byCode = remembered(calls, `${interfaceName}/${method}`, () => new Map<string, Instruments>());
      const { counter, histogram } = remembered(byCode, code, () => ({
        counter: requests.labels(interfaceName, method, code),
        histogram: durations.labels(interfaceName, method),
      }));
      counter.inc();
      histogram.observe(seconds);
    },
    connections: (interfaceName, count) => open.set({ interface: interfaceName }, count),
  };
}

function remembered<T>(known: Map<string, T>, key: string, create: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const created = create();
  known.set(key, created);
  return created;
}
