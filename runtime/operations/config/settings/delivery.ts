import { both, integer, list, text, type Setting } from "./setting.ts";

/** Webhooks, how long their records stay, roots of the books, and rates of calls. */
export const deliverySettings: readonly Setting[] = [
  {
    path: "callbacks.allowedNetworks",
    env: "LEDGER_CALLBACK_NETWORKS",
    kind: list,
    sandbox: ["127.0.0.0/8", "::1/128"],
    doc: "CIDR ranges that callback addresses may lie in although they are internal (D-44).",
  },
  {
    path: "callbacks.allowedPorts",
    env: "LEDGER_CALLBACK_PORTS",
    kind: list,
    doc: "Ports that callback addresses may have; absent: any.",
  },
  {
    path: "callbacks.caFile",
    env: "LEDGER_CALLBACK_CA_FILE",
    kind: text,
    doc: "PEM file of certificate authorities that are trusted for callback addresses instead of the usual ones.",
  },
  {
    path: "events.timeoutMs",
    env: "LEDGER_EVENTS_TIMEOUT_MS",
    kind: integer(100, 60_000),
    ...both(15_000),
    doc: "How long one attempt to deliver an event may take as a whole (D-43).",
  },
  {
    path: "events.concurrency",
    env: "LEDGER_EVENTS_CONCURRENCY",
    kind: integer(1, 10_000),
    ...both(512),
    doc: "Deliveries in flight at once, those not counted that take longer than a second.",
  },
  {
    path: "events.originConcurrency",
    env: "LEDGER_EVENTS_ORIGIN_CONCURRENCY",
    kind: integer(1, 1_000),
    ...both(32),
    doc: "Of these, deliveries to one host and port.",
  },
  {
    path: "events.waitingPerUserMax",
    env: "LEDGER_EVENTS_WAITING_PER_USER_MAX",
    kind: integer(1, 10_000_000),
    ...both(100_000),
    doc: "How many deliveries of one user may wait to arrive. Beyond that, the user's further events wait unexpanded: nothing is dropped or refused.",
  },
  {
    path: "subscriptions.perUserMax",
    env: "LEDGER_SUBSCRIPTIONS_PER_USER_MAX",
    kind: integer(1, 100_000),
    ...both(1_000),
    doc: "How many subscriptions one user may have. One more is refused with CONFLICT, reason too-many-subscriptions. Users who have more keep them.",
  },
  {
    path: "events.retentionDays",
    env: "LEDGER_EVENTS_RETENTION_DAYS",
    kind: integer(1, 36_500),
    ...both(30),
    doc: "How long deliveries that arrived, and their attempts, are kept. Dead letters are kept for good.",
  },
  {
    path: "audit.rootMinutes",
    env: "LEDGER_AUDIT_ROOT_MINUTES",
    kind: integer(1, 10_080),
    ...both(60),
    doc: "How often a root over all audit entries, and through them all that they cover, is kept and logged (docs/verify.md).",
  },
  {
    path: "rateLimit.perSecond",
    env: "LEDGER_RATE_PER_SECOND",
    kind: integer(0, 1_000_000),
    sandbox: 0,
    production: 100,
    doc: "Requests a second and credential; 0: no limit (D-45).",
  },
  {
    path: "rateLimit.burst",
    env: "LEDGER_RATE_BURST",
    kind: integer(1, 1_000_000),
    ...both(200),
    doc: "Requests that may come at once (D-45).",
  },
];
