export type { RawRequest } from "./raw-request.ts";

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

/** What of a caller was refused: the whole credential, the key, or the signature. */
export const signInFaults = ["credential", "key", "signature"] as const;
export type SignInFault = (typeof signInFaults)[number];

/** A call whose caller is not who it claims to be. What it claims is bounded and escaped for a log line. */
export interface FailedSignIn {
  readonly fault: SignInFault;
  /** Absent where the trace has the verified one, or nothing was claimed. */
  readonly claimedUser?: string;
  readonly claimedKey?: string;
}

/**
 * The fields of a call that log lines and metrics may show. But for `failedSignIn` it holds nothing that a caller wrote and
 * that was not verified first.
 */
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
  readonly failedSignIn?: FailedSignIn;
  /** Absent where the call is not traced. */
  readonly traceId?: string;
}
