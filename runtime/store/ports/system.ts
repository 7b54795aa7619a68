import type { TimeSource } from "../../platform/clock.ts";

/** The time. Everything that asks for it asks here, so that a test can live through ten days in a second. */
export interface Clock extends TimeSource {
  /** Calls back once after `delayMs`; the returned function cancels. Never keeps the process alive by itself. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** Random identifiers and secrets. A seeded one replays a run. */
export interface IdSource {
  /** An opaque identifier, unique and unguessable: 26 characters, sortable by creation. */
  id(): string;
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** A uniform integer from 0 up to but not including `limit`. */
  integer(limit: number): number;
}

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly {
    readonly fileName: string;
    readonly contentType: string;
    /** Referenced from `html` as `cid:<contentId>`. */
    readonly contentId?: string;
    readonly contentBase64: string;
  }[];
}

/**
 * Sends one mail, now. Rejects if it was not accepted: with a `MailError` that says whose fault it is, or with an
 * `UnavailableError` where it is this machine's.
 */
export interface MailAttempt {
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** Called once the server was sent the whole mail. Until it answers, whether it takes the mail is unknown. */
  handedOver(): void;
}

export interface Mailer {
  /** Resolves once the server has taken the mail. */
  send(message: MailMessage, attempt?: MailAttempt): Promise<void>;
  /** Resolves if mails could be sent now; rejects as `send` does. */
  check(): Promise<void>;
  close(): Promise<void>;
}

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

/** Seals secrets at rest (AES-256-GCM under the service's own key). */
export interface Sealer {
  /** Identifier of the key that seals; `keyIdOfSealed` gives it of each text. */
  readonly keyId: string;
  seal(plaintext: string): string;
  /** Throws if the text was not sealed by this key, or by a former one that is given beside it. */
  open(sealed: string): string;
}

const sealedText = /^(?:v1|v2\.([0-9a-f]{16}))\.[A-Za-z0-9_-]*$/;

/**
 * Identifier of the key that sealed a text; `""` for a text of before keys had identifiers (`v1.`), and nothing for one
 * that is not sealed.
 */
export function keyIdOfSealed(text: string): string | undefined {
  const found = sealedText.exec(text);
  return found === null ? undefined : (found[1] ?? "");
}
