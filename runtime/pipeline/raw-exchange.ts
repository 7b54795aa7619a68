/** A request as the transport hands it over: complete, within the body limit, nothing interpreted. */
export interface RawRequest {
  readonly body: Buffer;
  /** Names the request in logs, in the `X-Request-Id` header and in answers of the `internal` fault. */
  readonly requestId: string;
  /** `POST`. */
  readonly httpMethod: string;
  /** Path and query as received: `/jsonrpc`. */
  readonly target: string;
  /** The value of a header by its lower-case name; a repeated header's values are joined by `, `. */
  header(name: string): string | undefined;
}

/** What goes back. */
export interface RawResponse {
  /** HTTP status (D-02). */
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Headers beyond those of every answer: `Retry-After`, `RateLimit-*`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The revision that it is in, where several are served (D-46). */
  readonly revision?: string;
  readonly trace: CallTrace;
}

/** What a log line and a metric may say about a call. Holds nothing a caller wrote that was not verified first. */
export interface CallTrace {
  /** The revision that the call was made in, where several are served. */
  readonly revision?: string;
  /** Name of the operation, once it is known to be one. */
  readonly method?: string;
  /** The error code answered; absent on success. */
  readonly code?: string;
  /** The machine word that narrows the code. */
  readonly reason?: string;
  /** Absent until the credential was verified. */
  readonly userName?: string;
  /** Absent until the key was found to be the user's. */
  readonly keyId?: string;
}
