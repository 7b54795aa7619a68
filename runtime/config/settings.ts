/** One thing that can be configured, by file under `path` or by environment variable. */
export interface Setting {
  /** Dotted path in the configuration file. */
  readonly path: string;
  readonly env: string;
  readonly doc: string;
  readonly kind:
    | { readonly of: "text" }
    | { readonly of: "integer" | "number"; readonly minimum: number; readonly maximum: number }
    | { readonly of: "choice"; readonly choices: readonly string[] }
    | { readonly of: "flag" }
    | { readonly of: "list" };
  /** Defaults by profile; absent: nothing. */
  readonly sandbox?: Value;
  readonly production?: Value;
  /** Must be given under the production profile. */
  readonly needed?: true;
  /** Never printed. */
  readonly secret?: true;
  /** Name that the path had, still taken in files. */
  readonly formerPath?: string;
  /** An address to listen on: the sandbox takes loopback addresses only. */
  readonly listens?: true;
}

export type Value = string | number | boolean | readonly string[];

const text = { of: "text" } as const;
const flag = { of: "flag" } as const;
const list = { of: "list" } as const;
const port = { of: "integer", minimum: 0, maximum: 65_535 } as const;
const choice = (...choices: readonly string[]) => ({ of: "choice", choices }) as const;
const integer = (minimum: number, maximum: number) => ({ of: "integer", minimum, maximum }) as const;
const both = (value: Value) => ({ sandbox: value, production: value });

/** The samplers of OpenTelemetry's specification. */
export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/**
 * The settings that do not belong to one interface: one table, in the order in which docs/operations.md and
 * `ledger-server settings` print them, so that a reader finds each by its path alone.
 */
const commonSettings: readonly Setting[] = [
  {
    path: "profile",
    env: "LEDGER_PROFILE",
    kind: choice("sandbox", "production"),
    ...both("sandbox"),
    doc: "sandbox: demo data, this machine only. production: refuses to start without what it needs.",
  },
  {
    path: "dataDir",
    env: "LEDGER_DATA_DIR",
    kind: text,
    sandbox: ".data",
    needed: true,
    doc: "Folder of the database, and of the mails of the folder transport.",
  },
  {
    path: "database.url",
    env: "LEDGER_DATABASE_URL",
    kind: text,
    secret: true,
    doc: "Database: `sqlite:<path>`, `postgres://<user>@<host>[,<host>]/<database>` or `memory:`; absent: `sqlite:<dataDir>/ledger.sqlite`.",
  },
  {
    path: "database.others",
    env: "LEDGER_DATABASE_OTHERS",
    kind: text,
    secret: true,
    doc: "Further databases for institutions that are not in the first one: `<name>=postgres://…`, separated by white space.",
  },
  {
    path: "database.poolSize",
    env: "LEDGER_DATABASE_POOL_SIZE",
    kind: integer(2, 1_000),
    ...both(10),
    doc: "Connections to a database server; SQLite and memory take none.",
  },
  {
    path: "database.statementTimeoutMs",
    env: "LEDGER_DATABASE_STATEMENT_TIMEOUT_MS",
    kind: integer(100, 600_000),
    ...both(10_000),
    doc: "How long one statement may run on a database server; beyond, it is `UNAVAILABLE`.",
  },
  {
    path: "database.connectTimeoutMs",
    env: "LEDGER_DATABASE_CONNECT_TIMEOUT_MS",
    kind: integer(100, 600_000),
    ...both(5_000),
    doc: "How long a call waits for a connection to a database server; beyond, it is `UNAVAILABLE`.",
  },
  {
    path: "http.connectionsMax",
    env: "LEDGER_CONNECTIONS_MAX",
    kind: integer(1, 1_000_000),
    ...both(1000),
    doc: "Connections open at once on each port. Above that, one that is idle gives way; where none is, only health checks are answered.",
  },
  {
    path: "http.connectionsPerAddressMax",
    env: "LEDGER_CONNECTIONS_PER_ADDRESS_MAX",
    kind: integer(0, 1_000_000),
    ...both(250),
    doc: "Of these, connections of one address (IPv6: of one /64 network); loopback addresses are exempt. 0: no limit, for a proxy that all callers come through.",
  },
  {
    path: "http.requestsMax",
    env: "LEDGER_REQUESTS_MAX",
    kind: integer(1, 100_000),
    ...both(128),
    doc: "Calls worked on at once, on both ports together. Further ones wait; health checks do not count.",
  },
  {
    path: "http.requestsPerConnectionMax",
    env: "LEDGER_REQUESTS_PER_CONNECTION_MAX",
    kind: integer(1, 1_000),
    ...both(2),
    doc: "Of these, calls of one connection. A connection that pipelines more is not read until some are answered.",
  },
  {
    path: "http.queueMaxMs",
    env: "LEDGER_QUEUE_MAX_MS",
    kind: integer(10, 60_000),
    ...both(500),
    doc: "Longest expected wait for a turn. A call that would wait longer is refused at once: `UNAVAILABLE`, 503, `Retry-After`.",
  },
  {
    path: "http.bodiesMaxMb",
    env: "LEDGER_BODIES_MAX_MB",
    kind: integer(1, 4_096),
    ...both(64),
    doc: "Mebibytes of bodies that have begun to arrive and are not whole, on both ports together.",
  },
  {
    path: "http.headersTimeoutMs",
    env: "LEDGER_HEADERS_TIMEOUT_MS",
    kind: integer(100, 600_000),
    ...both(10_000),
    doc: "How long the headers of a request may take to arrive, and a new connection to send something.",
  },
  {
    path: "http.requestTimeoutMs",
    env: "LEDGER_REQUEST_TIMEOUT_MS",
    kind: integer(100, 600_000),
    ...both(30_000),
    doc: "How long a whole request may take to arrive. At least `http.headersTimeoutMs`.",
  },
  {
    path: "http.keepAliveTimeoutMs",
    env: "LEDGER_KEEP_ALIVE_TIMEOUT_MS",
    kind: integer(1_000, 600_000),
    ...both(65_000),
    doc: "How long an idle connection is kept: longer than the proxy in front keeps it.",
  },
  {
    path: "http.answerTimeoutMs",
    env: "LEDGER_ANSWER_TIMEOUT_MS",
    kind: integer(1_000, 600_000),
    ...both(20_000),
    doc: "How long a caller may take less than 1 KiB a second of its answers before its connection is ended.",
  },
  {
    path: "http.shutdownGraceMs",
    env: "LEDGER_SHUTDOWN_GRACE_MS",
    kind: integer(0, 600_000),
    ...both(10_000),
    doc: "How long a shutdown goes on answering requests that have arrived.",
  },
  {
    path: "metrics.public",
    env: "LEDGER_METRICS_PUBLIC",
    kind: choice("off", "on"),
    ...both("off"),
    doc: "on serves `/metrics` on the port of the documented interface, too. The operator port always has it.",
  },
  {
    path: "reference.pages",
    env: "LEDGER_REFERENCE_PAGES",
    kind: choice("off", "on"),
    sandbox: "on",
    production: "off",
    doc: "on serves the reference pages of each interface under `/docs` on its port.",
  },
  {
    path: "console.pages",
    env: "LEDGER_CONSOLE_PAGES",
    kind: choice("off", "on"),
    sandbox: "on",
    production: "off",
    doc: "on serves the operator's console, `/console` on its port, and with `partner.interface` the partner's page, `/partner`.",
  },
  {
    path: "console.report",
    env: "LEDGER_CONSOLE_REPORT",
    kind: text,
    doc: "File that `ledger-rpc conform --html` writes: the console shows the last one. Read anew each time.",
  },
  {
    path: "partner.interface",
    env: "LEDGER_PARTNER_INTERFACE",
    kind: choice("off", "on"),
    ...both("off"),
    doc: "on serves the partner's interface under `/partner/jsonrpc` on the port of the documented interface.",
  },
  {
    path: "log.level",
    env: "LEDGER_LOG_LEVEL",
    kind: choice("fatal", "error", "warn", "info", "debug", "silent"),
    ...both("info"),
    doc: "Least severity that is logged.",
  },
  {
    path: "errors.httpStatus",
    env: "LEDGER_ERRORS_HTTP_STATUS",
    kind: choice("ok", "mapped"),
    ...both("ok"),
    doc: "ok: errors of parsed envelopes answer 200. mapped: 400, 401, 403, 404, 409, 500 by code (D-02).",
  },
  {
    path: "validation.unknownFields",
    env: "LEDGER_UNKNOWN_FIELDS",
    kind: choice("ignore", "reject"),
    ...both("ignore"),
    doc: "What happens to request fields the interface does not know (D-13).",
  },
  {
    path: "auth.flatBodies",
    env: "LEDGER_FLAT_BODIES",
    kind: choice("signed", "open"),
    ...both("signed"),
    doc: "open drops the authentication of flat bodies; sandbox only (D-22).",
  },
  {
    path: "auth.replay",
    env: "LEDGER_REPLAY",
    kind: choice("standard", "strict"),
    ...both("standard"),
    doc: "strict requires RFC 9421 message signatures on every call (D-24).",
  },
  {
    path: "accounts.closedIsFinal",
    env: "LEDGER_CLOSED_IS_FINAL",
    kind: flag,
    ...both(false),
    doc: "Refuses to change the status of a CLOSED account (D-25).",
  },
  {
    path: "accounts.overdraft",
    env: "LEDGER_OVERDRAFT",
    kind: choice("allow", "refuse"),
    sandbox: "allow",
    production: "refuse",
    doc: "refuse answers `CONFLICT` to a transaction that takes a balance below its `minimumBalance`; GL and CREDIT_CARD accounts are exempt (D-55).",
  },
  {
    path: "accounts.closing",
    env: "LEDGER_CLOSING",
    kind: choice("any", "settled"),
    sandbox: "any",
    production: "settled",
    doc: "settled answers `CONFLICT` to closing an account that has a balance, a hold or a pending transaction (D-55).",
  },
  {
    path: "accounts.custodialTypes",
    env: "LEDGER_CUSTODIAL_TYPES",
    kind: list,
    doc: "Values accepted as custodialType; absent: any of at most 64 characters (D-29).",
  },
  {
    path: "reads.threads",
    env: "LEDGER_READ_THREADS",
    kind: integer(0, 64),
    ...both(0),
    doc: "Threads that read lists; 0: one fewer than there are processors, from 1 to 4.",
  },
  {
    path: "reads.rowsMax",
    env: "LEDGER_READ_ROWS_MAX",
    kind: integer(1_000, 1_000_000_000),
    ...both(30_000),
    doc: "Accounts that one list may look at to find its page; beyond, it is `BAD_INPUT`, `filter-too-expensive` (D-32).",
  },
  {
    path: "reads.timeMs",
    env: "LEDGER_READ_TIME_MS",
    kind: integer(10, 600_000),
    ...both(1_000),
    doc: "Time that a thread spends on one list; beyond, it is `UNAVAILABLE`.",
  },
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
    doc: "How often a root over all audit entries, and through them all postings, is kept and logged (docs/verify.md).",
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
  {
    path: "mail.transport",
    env: "LEDGER_MAIL_TRANSPORT",
    kind: choice("folder", "smtp"),
    sandbox: "folder",
    needed: true,
    doc: "folder: one .eml file a mail under <dataDir>/mail. smtp: a server.",
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
    doc: "tls: from the first byte; starttls: upgraded, refused without; none: a relay on this machine.",
  },
  { path: "mail.smtp.user", env: "LEDGER_SMTP_USER", kind: text, doc: "User at the SMTP server." },
  {
    path: "mail.smtp.password",
    env: "LEDGER_SMTP_PASSWORD",
    kind: text,
    secret: true,
    doc: "Password at the SMTP server.",
  },
  {
    path: "tracing.exporter",
    env: "OTEL_TRACES_EXPORTER",
    kind: choice("none", "otlp"),
    ...both("none"),
    doc: "otlp: requests, store transactions and deliveries are traced (docs/tracing.md).",
  },
  {
    path: "tracing.endpoint",
    env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    kind: text,
    doc: "URL that traces are posted to. Absent: `OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/traces`, else `http://localhost:4318/v1/traces`.",
  },
  {
    path: "tracing.serviceName",
    env: "OTEL_SERVICE_NAME",
    kind: text,
    ...both("ledger-server"),
    doc: "Name of the service in traces.",
  },
  {
    path: "tracing.sampler",
    env: "OTEL_TRACES_SAMPLER",
    kind: choice(...samplers),
    ...both("parentbased_always_on"),
    doc: "Which traces are recorded. `parentbased_`: callers that send `traceparent` decide for their calls.",
  },
  {
    path: "tracing.sampleRatio",
    env: "OTEL_TRACES_SAMPLER_ARG",
    kind: { of: "number", minimum: 0, maximum: 1 },
    ...both(1),
    doc: "Share of the traces that the samplers `traceidratio` and `parentbased_traceidratio` record.",
  },
  {
    path: "secrets.sealKey",
    env: "LEDGER_SEAL_KEY",
    kind: text,
    secret: true,
    needed: true,
    doc: "Base64 of 32 random bytes that seal secrets at rest (openssl rand -base64 32). The sandbox keeps one in <dataDir>/seal.key.",
  },
];

/** An interface as settings are named after it. */
export interface NamedInterface {
  readonly name: string;
  /** Whether anyone may reach it: then production has no default address for it. */
  readonly isPublic?: boolean;
}

const firstPort = 8080;

/**
 * Every setting of a service: the one list that loading, `--help` and the operations guide read. Each interface has
 * `<name>.host` and `<name>.port`; ports count up from 8080. The first interface's port also goes by `PORT`, as
 * platforms give it, and its settings by the paths that they had before there were several.
 */
export function settingsOf(interfaces: readonly NamedInterface[]): readonly Setting[] {
  const at = commonSettings.findIndex(({ path }) => path === "http.connectionsMax");
  return commonSettings.toSpliced(at, 0, ...interfaces.flatMap(endpointSettings));
}

function endpointSettings({ name, isPublic = false }: NamedInterface, at: number): readonly Setting[] {
  const variable = name.toUpperCase().replaceAll("-", "_");
  const isFirst = at === 0;
  return [
    {
      path: `${name}.host`,
      env: `${variable}_HOST`,
      kind: text,
      listens: true,
      ...(isPublic ? { sandbox: "127.0.0.1", needed: true } : both("127.0.0.1")),
      ...(isFirst && { formerPath: "http.host" }),
      doc: `Address the ${name} interface listens on. The sandbox takes loopback addresses only.`,
    },
    {
      path: `${name}.port`,
      env: isFirst ? "PORT" : `${variable}_PORT`,
      kind: port,
      ...both(firstPort + at),
      ...(isFirst && { formerPath: "http.port" }),
      doc: `Port of the ${name} interface; 0 takes a free one.`,
    },
  ];
}
