import { Gauge, type Registry } from "prom-client";

export interface ShownLoad {
  /** Of the process: the same for all interfaces. */
  readonly inFlight: number;
  readonly waiting: number;
  readonly pipelinedWaiting: number;
  readonly bodyBytes: number;
  /** Of this interface. */
  readonly parsed: number;
}

/** Shows what is worked on and what waits, by interface where that differs. */
export function addLoadGauges(registers: Registry[], loads: ReadonlyMap<string, () => ShownLoad>): void {
  const ofProcess = (name: string, help: string, value: (load: ShownLoad) => number): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers,
      collect() {
        const [read] = loads.values();
        if (read !== undefined) gauge.set(value(read()));
      },
    });
  };
  ofProcess("ledger_rpc_calls_in_flight", "Calls worked on now.", ({ inFlight }) => inFlight);
  ofProcess("ledger_rpc_calls_waiting", "Calls that wait for a permit.", ({ waiting }) => waiting);
  ofProcess(
    "ledger_rpc_pipelined_calls_waiting",
    "Pipelined calls that wait for a permit.",
    ({ pipelinedWaiting }) => pipelinedWaiting,
  );
  ofProcess("ledger_rpc_body_bytes", "Bytes of unfinished bodies.", ({ bodyBytes }) => bodyBytes);
  const parsed = new Gauge({
    name: "ledger_rpc_requests_outstanding",
    help: "Requests that arrived and are not answered, those that wait in their connection included, by interface.",
    labelNames: ["interface"],
    registers,
    collect() {
      for (const [name, read] of loads) parsed.set({ interface: name }, read().parsed);
    },
  });
}
