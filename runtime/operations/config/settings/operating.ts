import { both, choice, text, type Setting } from "./setting.ts";

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
