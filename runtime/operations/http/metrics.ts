import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type SignInFault, signInFaults } from "../../pipeline/index.ts";
import { type StoreHealth, unavailableReasons } from "../../store/ports/index.ts";
import { type RefusedReason, refusedReasons } from "../../transport/http/connections.ts";
import { type OverloadReason, overloadReasons } from "./log.ts";

/** Counters of the process, by operation and error code: every label value comes from a fixed set. */
export interface Metrics {
  /** `Content-Type` of `text()`. */
  readonly contentType: string;
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>;
  /** Counts an answered call. */
  answered(call: AnsweredCall): void;
  connections(interfaceName: string, open: number): void;
  /** Counts a request that was refused because there was no room for it. */
  refused(interfaceName: string, reason: OverloadReason): void;
  /** Counts a connection that was refused, or ended because it only held a place. */
  connectionRefused(interfaceName: string, reason: RefusedReason): void;
  /** Shows what is worked on and what waits, asked for whenever the metrics are. */
  showLoad(interfaceName: string, read: () => ShownLoad): void;
  /** Counts an attempt of a job; `outcome` is `delivered` or `sent`, or the word of its failure. */
  attempted(kind: JobKind, outcome: string, seconds?: number): void;
  /** Shows what has not arrived yet, asked for whenever the metrics are. */
  showBacklog(read: () => Promise<ShownBacklog>): void;
  /** Shows whether the store does its work, asked for whenever the metrics are. */
  showStore(read: () => StoreHealth): void;
}

/** The kinds of jobs that have attempts. */
export type JobKind = "notification" | "mail";

export interface ShownBacklog {
  /** How many events are in the outbox, and in the lanes of users. */
  readonly events: number;
  readonly laneEvents: number;
  /** How many users have as many waiting deliveries as one may have. */
  readonly usersAtLimit: number;
  /** How many deliveries and mails there are, by state. */
  readonly deliveries: Readonly<Record<string, number>>;
  readonly mails: Readonly<Record<string, number>>;
  readonly outboxLagMs: number;
  readonly oldestPendingMs: number;
  readonly oldestMailMs: number;
}

export interface AnsweredCall {
  readonly interfaceName: string;
  /** Absent where the request named no operation of the interface. */
  readonly method?: string;
  /** Absent on success. */
  readonly code?: string;
  /** Where several are served: the one that the call was made in. */
  readonly revision?: string;
  /** Where credential, key or signature was refused. */
  readonly failedSignIn?: { readonly fault: SignInFault };
  readonly seconds: number;
}

interface Instruments {
  readonly counter: { inc(): void };
  readonly histogram: { observe(seconds: number): void };
}

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The prefix of metrics' names, unless an application has its own. */
const ownPrefix = "ledger_rpc_";

/** One for the process. */
export function createMetrics(prefix = ownPrefix): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const { requests, durations, open, revisions, failedSignIns, requestsRefused, connectionsRefused } =
    requestMetrics(registers);
  const attempted = jobMetrics(registers);
  const calls = new Map<string, Map<string, Instruments>>();
  const loads = new Map<string, () => ShownLoad>();

  return {
    contentType: registry.contentType,
    text: oneAtOnce(async () => {
      const text = await registry.metrics();
      return prefix === ownPrefix ? text : text.replaceAll(/^((?:# \w+ )?)ledger_rpc_/gm, `$1${prefix}`);
    }),
    answered({ interfaceName, method = "none", code = "OK", revision, failedSignIn, seconds }) {
      if (failedSignIn !== undefined)
        failedSignIns.inc({ interface: interfaceName, reason: failedSignIn.fault });
      if (revision !== undefined) revisions.inc({ interface: interfaceName, revision });
      const byCode = remembered(calls, `${interfaceName}/${method}`, () => new Map<string, Instruments>());
      const { counter, histogram } = remembered(byCode, code, () => ({
        counter: requests.labels(interfaceName, method, code),
        histogram: durations.labels(interfaceName, method),
      }));
      counter.inc();
      histogram.observe(seconds);
    },
    connections: (interfaceName, count) => open.set({ interface: interfaceName }, count),
    refused: (interfaceName, reason) => requestsRefused.inc({ interface: interfaceName, reason }),
    connectionRefused: (interfaceName, reason) =>
      connectionsRefused.inc({ interface: interfaceName, reason }),
    showLoad(interfaceName, read) {
      if (loads.size === 0) addLoadGauges(registers, loads);
      loads.set(interfaceName, read);
      // A counter that appears with its first event has no rate for it, and a panel without it says "no data".
      for (const reason of overloadReasons) requestsRefused.inc({ interface: interfaceName, reason }, 0);
      for (const reason of signInFaults) failedSignIns.inc({ interface: interfaceName, reason }, 0);
      for (const reason of refusedReasons) connectionsRefused.inc({ interface: interfaceName, reason }, 0);
    },
    attempted,
    showBacklog: (read) => addBacklogGauges(registers, read),
    showStore: (read) => addStoreGauge(registers, read),
  };
}

/** Those who ask while a text is made share the next one: the store counts for each, and many may ask. */
function oneAtOnce(make: () => Promise<string>): () => Promise<string> {
  let making: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;
  const makeNext = (): Promise<string> => {
    next = undefined;
    const made = make();
    making = made;
    return made;
  };
  return () => (next ??= making.then(makeNext, makeNext));
}

function requestMetrics(registers: Registry[]) {
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
  const revisions = new Counter({
    name: "ledger_rpc_revision_requests_total",
    help: "Requests answered, by interface and revision, where an interface serves several revisions.",
    labelNames: ["interface", "revision"],
    registers,
  });
  const failedSignIns = new Counter({
    name: "ledger_rpc_failed_sign_ins_total",
    help: "Calls whose credential, key or signature was refused, by interface and which of them.",
    labelNames: ["interface", "reason"],
    registers,
  });
  const requestsRefused = new Counter({
    name: "ledger_rpc_requests_refused_total",
    help: "Requests refused with UNAVAILABLE because there was no room, or no lock of the database, by interface and reason.",
    labelNames: ["interface", "reason"],
    registers,
  });
  const connectionsRefused = new Counter({
    name: "ledger_rpc_connections_refused_total",
    help: "Connections refused, or ended because they only held a place, by interface and reason.",
    labelNames: ["interface", "reason"],
    registers,
  });
  return { requests, durations, open, revisions, failedSignIns, requestsRefused, connectionsRefused };
}

/** Attempts of all kinds of jobs, and of each kind under the name that it had before they were one. */
function jobMetrics(registers: Registry[]): Metrics["attempted"] {
  const labelNames = ["outcome"];
  const attempts = new Counter({
    name: "ledger_rpc_job_attempts_total",
    help: "Attempts of jobs, by kind (notification, mail) and outcome: delivered or sent, or why not.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const ofKind: Readonly<Record<JobKind, Counter>> = {
    notification: new Counter({
      name: "ledger_rpc_delivery_attempts_total",
      help: "Attempts to deliver an event, by outcome: delivered, or why not.",
      labelNames,
      registers,
    }),
    mail: new Counter({
      name: "ledger_rpc_mail_attempts_total",
      help: "Attempts to send a mail, by outcome: sent, or why not. A question to a server that cannot be reached is one.",
      labelNames,
      registers,
    }),
  };
  const attemptDurations = new Histogram({
    name: "ledger_rpc_delivery_attempt_seconds",
    help: "Time of an attempt to deliver an event, from its beginning to the end of the answer.",
    labelNames,
    buckets,
    registers,
  });
  const count = (kind: JobKind, outcome: string, by: number): void => {
    attempts.inc({ kind, outcome }, by);
    ofKind[kind].inc({ outcome }, by);
  };
  // A counter that appears with its first attempt has no rate for it.
  count("notification", "delivered", 0);
  count("mail", "sent", 0);
  return (kind, outcome, seconds) => {
    count(kind, outcome, 1);
    if (kind === "notification" && seconds !== undefined) attemptDurations.observe({ outcome }, seconds);
  };
}

function remembered<T>(known: Map<string, T>, key: string, create: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const created = create();
  known.set(key, created);
  return created;
}

function addStoreGauge(registers: Registry[], read: () => StoreHealth): void {
  const gauge: Gauge = new Gauge({
    name: "ledger_rpc_store_unavailable",
    help: "1 for the reason why the database cannot be read or written now, 0 for all others.",
    labelNames: ["reason"],
    registers,
    collect() {
      const health = read();
      for (const reason of unavailableReasons) {
        gauge.set({ reason }, health.kind === "failing" && health.reason === reason ? 1 : 0);
      }
    },
  });
}

const upTo = "No more than 10000 of an institution are counted.";
const backlogGauges: readonly {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (backlog: ShownBacklog) => number | Readonly<Record<string, number>>;
}[] = [
  {
    name: "ledger_rpc_outbox_events",
    help: `Events that are not yet on their way to their subscribers. ${upTo}`,
    valueOf: ({ events }) => events,
  },
  {
    name: "ledger_rpc_lane_events",
    help: `Events that are not yet on their way to all subscribers of a user. ${upTo}`,
    valueOf: ({ laneEvents }) => laneEvents,
  },
  {
    name: "ledger_rpc_users_at_limit",
    help: `Users whose events wait because their limit of waiting deliveries is reached. ${upTo}`,
    valueOf: ({ usersAtLimit }) => usersAtLimit,
  },
  {
    name: "ledger_rpc_deliveries",
    help: `Deliveries that have not arrived, by state. ${upTo}`,
    valueOf: ({ deliveries }) => deliveries,
  },
  {
    name: "ledger_rpc_mails",
    help: `Mails that were not sent, by state. ${upTo}`,
    valueOf: ({ mails }) => mails,
  },
  {
    name: "ledger_rpc_outbox_lag_seconds",
    help: "Age of the oldest event that is not yet on its way to its subscribers.",
    valueOf: ({ outboxLagMs }) => outboxLagMs / 1000,
  },
  {
    name: "ledger_rpc_delivery_oldest_pending_seconds",
    help: "Age of the oldest event that is still to be delivered.",
    valueOf: ({ oldestPendingMs }) => oldestPendingMs / 1000,
  },
  {
    name: "ledger_rpc_mail_oldest_pending_seconds",
    help: "Age of the oldest mail that is still to be sent.",
    valueOf: ({ oldestMailMs }) => oldestMailMs / 1000,
  },
];

/** The gauges are collected at the same time: one reading serves all. They stay as they were while nothing is read. */
function addBacklogGauges(registers: Registry[], read: () => Promise<ShownBacklog>): void {
  let reading: Promise<ShownBacklog | undefined> | undefined;
  const shared = (): Promise<ShownBacklog | undefined> => {
    // The other metrics are shown all the same: they say what is wrong with the store.
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  for (const { name, help, valueOf } of backlogGauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ["state"],
      registers,
      async collect() {
        const backlog = await shared();
        if (backlog === undefined) return;
        const value = valueOf(backlog);
        if (typeof value === "number") gauge.set(value);
        else for (const [state, count] of Object.entries(value)) gauge.set({ state }, count);
      },
    });
  }
}

export interface ShownLoad {
  /** Calls of the whole process, whichever interface they are for. */
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
