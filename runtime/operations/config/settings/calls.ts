import { both, choice, flag, integer, type Setting, text } from "./setting.ts";

/** How calls are checked, answered and logged, and the limits of lists. */
export const callSettings: readonly Setting[] = [
  {
    path: "log.level",
    env: "LEDGER_LOG_LEVEL",
    kind: choice("fatal", "error", "warn", "info", "debug", "silent"),
    ...both("info"),
    doc: "Least severity to log.",
  },
  {
    path: "errors.httpStatus",
    env: "LEDGER_ERRORS_HTTP_STATUS",
    kind: choice("ok", "mapped"),
    ...both("ok"),
    doc: "ok: an error has HTTP status 200. mapped: its own (400, 401, 403, 404, 409, 500).",
  },
  {
    path: "validation.unknownFields",
    env: "LEDGER_UNKNOWN_FIELDS",
    kind: choice("ignore", "reject"),
    ...both("ignore"),
    doc: "What to do with unknown fields of a request.",
  },
  {
    path: "calls.timeMs",
    env: "LEDGER_CALL_TIME_MS",
    kind: integer(100, 600_000),
    ...both(30_000),
    doc: "Time limit of a call.",
  },
  {
    path: "results.check",
    env: "LEDGER_CHECK_RESULTS",
    kind: flag,
    sandbox: true,
    production: false,
    doc: "true checks results against the spec: a wrong one is logged and answered with `INTERNAL`.",
  },
  {
    path: "auth.flatBodies",
    env: "LEDGER_FLAT_BODIES",
    kind: choice("signed", "open"),
    ...both("signed"),
    doc: "open accepts unsigned flat bodies; sandbox only.",
  },
  {
    path: "auth.replay",
    env: "LEDGER_REPLAY",
    kind: choice("standard", "strict"),
    ...both("standard"),
    doc: "strict requires an RFC 9421 signature of every message.",
  },
  {
    path: "reads.threads",
    env: "LEDGER_READ_THREADS",
    kind: integer(0, 64),
    ...both(0),
    doc: "Threads that read lists; 0: one fewer than the processors, 1 to 4.",
  },
  {
    path: "reads.rowsMax",
    env: "LEDGER_READ_ROWS_MAX",
    kind: integer(1_000, 1_000_000_000),
    ...both(30_000),
    doc: "Records that a list may look at to find its page.",
  },
  {
    path: "reads.timeMs",
    env: "LEDGER_READ_TIME_MS",
    kind: integer(10, 600_000),
    ...both(1_000),
    doc: "Time limit of a list.",
  },
];

/** The samplers of OpenTelemetry's specification. */
export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Traces, and the key that seals secrets. */
export const operatingSettings: readonly Setting[] = [
  {
    path: "tracing.exporter",
    env: "OTEL_TRACES_EXPORTER",
    kind: choice("none", "otlp"),
    ...both("none"),
    doc: "otlp sends traces (docs/tracing.md).",
  },
  {
    path: "tracing.endpoint",
    env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    kind: text,
    doc: "URL for traces. Absent: `OTEL_EXPORTER_OTLP_ENDPOINT` and `/v1/traces`, else `http://localhost:4318/v1/traces`.",
  },
  {
    path: "tracing.serviceName",
    env: "OTEL_SERVICE_NAME",
    kind: text,
    ...both("ledger-server"),
    doc: "Service name in traces.",
  },
  {
    path: "tracing.sampler",
    env: "OTEL_TRACES_SAMPLER",
    kind: choice(...samplers),
    ...both("parentbased_always_on"),
    doc: "Sampler. With `parentbased_`, callers that send `traceparent` decide.",
  },
  {
    path: "tracing.sampleRatio",
    env: "OTEL_TRACES_SAMPLER_ARG",
    kind: { of: "number", minimum: 0, maximum: 1 },
    ...both(1),
    doc: "Share of traces that the ratio samplers record: 0 to 1.",
  },
  {
    path: "secrets.sealKey",
    env: "LEDGER_SEAL_KEY",
    kind: text,
    secret: true,
    needed: true,
    doc: "Key that seals secrets at rest: openssl rand -base64 32. A sandbox makes <dataDir>/seal.key.",
  },
];
