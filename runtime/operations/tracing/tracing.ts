import type { Tracer } from "../../store/ports/index.ts";

export interface TracingOptions {
  /** Where traces are sent; default: what `OTEL_EXPORTER_OTLP_ENDPOINT` says, else a collector on this machine. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly version: string;
  /** A sampler of the specification. `parentbased_`: a caller that sends `traceparent` decides. */
  readonly sampler: string;
  /** The share of traces that the samplers by ratio record: 0 to 1. */
  readonly sampleRatio: number;
  /** Receives why traces do not arrive, at most once a minute. */
  onProblem(message: string): void;
}

/** Tracing that is on. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Sends what is left. Rejects where that does not succeed. */
  close(): Promise<void>;
}
