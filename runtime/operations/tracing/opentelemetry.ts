import { AsyncLocalStorage } from "node:async_hooks";
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import { omitUndefined } from "../../contract/index.ts";
import type { Span, SpanOptions, Tracer } from "../../store/ports/index.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
/** Longer values are cut: what a span says is short. */
const attributeCharsMax = 256;

/**
 * Traces through the official SDK, sent as OTLP over HTTP (protobuf). Nothing is registered globally: the process may hold
 * other SDKs. The exporter reads `OTEL_EXPORTER_OTLP_*` for what the options leave open: headers, time limit, certificates.
 */
export function startOpenTelemetry(options: TracingOptions): Tracing {
  const { endpoint, serviceName, version, onProblem } = options;
  const report = onceAMinute(onProblem);
  diag.setLogger(
    { error: report, warn: report, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter(endpoint === undefined ? {} : { url: endpoint });
  const stated = resourceFromAttributes({ "service.name": serviceName, "service.version": version });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(stated),
    sampler: samplerOf(options),
    spanLimits: { attributeValueLengthLimit: attributeCharsMax },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return { tracer: tracerOver(provider), close: () => provider.shutdown() };
}

function samplerOf({ sampler, sampleRatio }: TracingOptions): Sampler {
  const root = sampler.endsWith("always_on")
    ? new AlwaysOnSampler()
    : sampler.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(sampleRatio);
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

function tracerOver(provider: TracerProvider): Tracer {
  const tracer = provider.getTracer("ledger-server");
  const atWork = new AsyncLocalStorage<Context>();

  const parentOf = ({ traceParent }: SpanOptions): Context => {
    if (traceParent === undefined) return atWork.getStore() ?? ROOT_CONTEXT;
    const remote = traceParent === null ? null : parseTraceParent(traceParent);
    return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
  };

  return {
    span(options, work) {
      const { name, kind, attributes = {} } = options;
      const parent = parentOf(options);
      const started = tracer.startSpan(
        name,
        omitUndefined({ attributes, kind: kind && kinds[kind] }),
        parent,
      );
      const span = spanOf(started);
      return atWork.run(trace.setSpan(parent, started), () => ended(started, span, () => work(span)));
    },
    current() {
      const context = atWork.getStore();
      const span = context && trace.getSpan(context);
      return span && spanOf(span);
    },
    detached: (work) => atWork.exit(work),
  };
}

/** Ends the span when the outcome is there, be it a promise's. */
function ended<T>(started: SdkSpan, span: Span, work: () => T): T {
  const failed = (error: unknown): never => {
    span.fail(errorTypeOf(error));
    started.end();
    throw error;
  };
  let outcome: T;
  try {
    outcome = work();
  } catch (error) {
    return failed(error);
  }
  if (!(outcome instanceof Promise)) {
    started.end();
    return outcome;
  }
  void outcome.then(
    () => started.end(),
    (error: unknown) => {
      span.fail(errorTypeOf(error));
      started.end();
    },
  );
  return outcome;
}

function spanOf(span: SdkSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isRecorded = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    ...omitUndefined({ traceId: isRecorded ? traceId : undefined }),
    traceParent: `00-${traceId}-${spanId}-${isRecorded ? "01" : "00"}`,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => void span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR }),
  };
}

const code = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The code of an error, else its class. Its message stays out: it may quote what a caller wrote. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" && code.test(error.code) ? error.code : error.name;
}

const everyMs = 60_000;

/** Passes the first message on, and then one a minute: a collector that is away is not worth a line for each batch. */
function onceAMinute(
  report: (message: string) => void,
  now: () => number = () => performance.now(),
): (message: string) => void {
  let reportedMs = -Infinity;
  return (message) => {
    if (now() - reportedMs < everyMs) return;
    reportedMs = now();
    report(message);
  };
}
