/** The part of a response that a call needs. */
export interface ResponseLike extends Pick<Response, "status" | "headers" | "text"> {
  readonly body?: Response["body"];
}

/** The answer of a service: a result or an error. */
export interface Envelope {
  readonly id?: string | null;
  readonly result?: unknown;
  readonly error?: EnvelopeError;
  readonly jsonrpc?: string;
  readonly [name: string]: unknown;
}

/** The `error` of an envelope. */
export interface EnvelopeError {
  readonly code: string;
  readonly message: string;
  readonly data?: {
    readonly field?: string;
    readonly reason?: string;
    readonly requestId?: string;
    readonly [name: string]: unknown;
  };
}
