export type { RawRequest } from "../ports/index.ts";

/** The response to a request, before HTTP sends it. */
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

/** The fields of a call that log lines and metrics may show. Holds nothing a caller wrote that was not verified first. */
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
  /** Absent where the call is not traced. */
  readonly traceId?: string;
}
