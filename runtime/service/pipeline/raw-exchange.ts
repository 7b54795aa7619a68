import type { CallReport } from "../options.ts";

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
  /** Address of the other end of the connection. */
  readonly peerAddress?: string;
  /** Told of what to call where the caller leaves before it has the answer. Absent: nobody knows. */
  readonly whenLeft?: (leave: () => void) => void;
  /**
   * Asked once the caller is known: waits while this user has too many calls at work. Gives false where that takes too
   * long. Absent: every call is admitted.
   */
  readonly admit?: (userName: string) => boolean | Promise<boolean>;
}

/** The response to a request, before HTTP sends it. */
export interface RawResponse {
  /** HTTP status (D-02). */
  readonly status: number;
  /** JSON text; empty where there is nothing to answer. */
  readonly body: string;
  /** Headers beyond those of every answer: `Retry-After`, `RateLimit-*`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The revision that it is in, where several are served (D-46). */
  readonly revision?: string;
  readonly trace: CallTrace;
}

/**
 * The fields of a call that log lines and metrics may show. But for `failedSignIn` it holds nothing that a caller wrote and
 * that was not verified first.
 */
export interface CallTrace extends Pick<
  CallReport,
  "method" | "code" | "reason" | "userName" | "keyId" | "failedSignIn"
> {
  /** The revision that the call was made in, where several are served. */
  readonly revision?: string;
  /** Absent where the call is not traced. */
  readonly traceId?: string;
}
