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
