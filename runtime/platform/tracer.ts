/** The attributes of a span: never a payload, a header, a secret or personal data. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Work that is under way. */
export interface Span {
  /** 32 hexadecimal digits that name the trace in logs; absent where the trace is not recorded. */
  readonly traceId?: string;
  /** The W3C header that makes what another service does a part of this trace. */
  readonly traceParent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. `type` is a code, never a message: messages may quote what callers wrote. */
  fail(type: string): void;
}

export interface SpanOptions {
  /** One of few: an operation or a stage. */
  readonly name: string;
  /** `server` answers a call from outside, `client` makes one. Default: neither. */
  readonly kind?: "server" | "client";
  /** The `traceparent` that came with the work; null: none came, a trace begins. Default: the span at work. */
  readonly traceParent?: string | null;
  readonly attributes?: SpanAttributes;
}

/** Makes traces (OpenTelemetry). Absent where tracing is off: nothing is measured or loaded then. */
export interface Tracer {
  /** Runs `work` in a span, which ends when the outcome of `work` is there. What `work` throws fails the span. */
  span<T>(options: SpanOptions, work: (span: Span) => T): T;
  /** The span at work, if any. */
  current(): Span | undefined;
  /** Runs `work` outside all spans: for what a call sets off and does not wait for. */
  detached<T>(work: () => T): T;
}
