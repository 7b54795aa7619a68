import { both, integer, list, text, type Setting, choice, port } from "./setting.ts";

/** Webhooks, how long their records stay, roots of the books, and rates of calls. */
export const deliverySettings: readonly Setting[] = [
  {
    path: "callbacks.allowedNetworks",
    env: "LEDGER_CALLBACK_NETWORKS",
    kind: list,
    sandbox: ["127.0.0.0/8", "::1/128"],
    doc: "Internal CIDR ranges that callbacks may go to.",
  },
  {
    path: "callbacks.allowedPorts",
    env: "LEDGER_CALLBACK_PORTS",
    kind: list,
    doc: "Ports that callbacks may go to; absent: any.",
  },
  {
    path: "callbacks.caFile",
    env: "LEDGER_CALLBACK_CA_FILE",
    kind: text,
    doc: "PEM file of the only certificate authorities that callbacks trust.",
  },
  {
    path: "events.timeoutMs",
    env: "LEDGER_EVENTS_TIMEOUT_MS",
    kind: integer(100, 60_000),
    ...both(15_000),
    doc: "Time limit of one attempt to deliver an event.",
  },
  {
    path: "events.concurrency",
    env: "LEDGER_EVENTS_CONCURRENCY",
    kind: integer(1, 10_000),
    ...both(512),
    doc: "Deliveries in flight; those that take over a second do not count.",
  },
  {
    path: "events.originConcurrency",
    env: "LEDGER_EVENTS_ORIGIN_CONCURRENCY",
    kind: integer(1, 1_000),
    ...both(32),
    doc: "Of these, to one host and port.",
  },
  {
    path: "events.waitingPerUserMax",
    env: "LEDGER_EVENTS_WAITING_PER_USER_MAX",
    kind: integer(1, 10_000_000),
    ...both(100_000),
    doc: "Deliveries of one user that may wait. Further events wait, too; none is dropped.",
  },
  {
    path: "subscriptions.perUserMax",
    env: "LEDGER_SUBSCRIPTIONS_PER_USER_MAX",
    kind: integer(1, 100_000),
    ...both(1_000),
    doc: "Subscriptions of one user. Users who have more keep them.",
  },
  {
    path: "events.retentionDays",
    env: "LEDGER_EVENTS_RETENTION_DAYS",
    kind: integer(1, 36_500),
    ...both(30),
    doc: "How long delivered notifications are kept. Dead letters stay.",
  },
  {
    path: "audit.rootMinutes",
    env: "LEDGER_AUDIT_ROOT_MINUTES",
    kind: integer(1, 10_080),
    ...both(60),
    doc: "How often the root of the audit log is stored and logged (docs/verify.md).",
  },
  {
    path: "rateLimit.perSecond",
    env: "LEDGER_RATE_PER_SECOND",
    kind: integer(0, 1_000_000),
    sandbox: 0,
    production: 100,
    doc: "Requests a second of one credential; 0: no limit.",
  },
  {
    path: "rateLimit.burst",
    env: "LEDGER_RATE_BURST",
    kind: integer(1, 1_000_000),
    ...both(200),
    doc: "Requests of one credential at once.",
  },
];

/** Mails. */
export const mailSettings: readonly Setting[] = [
  {
    path: "mail.transport",
    env: "LEDGER_MAIL_TRANSPORT",
    kind: choice("folder", "smtp"),
    sandbox: "folder",
    needed: true,
    doc: "folder: files in <dataDir>/mail. smtp: a server.",
  },
  {
    path: "mail.from",
    env: "LEDGER_MAIL_FROM",
    kind: text,
    sandbox: "ledger@localhost",
    needed: true,
    doc: "Sender of all mails.",
  },
  { path: "mail.smtp.host", env: "LEDGER_SMTP_HOST", kind: text, doc: "SMTP server." },
  { path: "mail.smtp.port", env: "LEDGER_SMTP_PORT", kind: port, ...both(587), doc: "Its port." },
  {
    path: "mail.smtp.security",
    env: "LEDGER_SMTP_SECURITY",
    kind: choice("tls", "starttls", "none"),
    ...both("starttls"),
    doc: "tls: from the first byte. starttls: required upgrade. none: for a relay on this machine.",
  },
  { path: "mail.smtp.user", env: "LEDGER_SMTP_USER", kind: text, doc: "User at the SMTP server." },
  {
    path: "mail.smtp.password",
    env: "LEDGER_SMTP_PASSWORD",
    kind: text,
    secret: true,
    doc: "Password at the SMTP server.",
  },
];
