import type { DeliveryRecord } from "../../ports/index.ts";

/** How one attempt ended. */
export interface AttemptOutcome {
  readonly startedAt: number;
  readonly durationMs: number;
  /** Of the response, if one arrived. */
  readonly status?: number;
  /** Absent: the response was 2xx. */
  readonly failure?: AttemptFailure;
  /** More on the failure, in words of this service: partners read it. */
  readonly detail?: string;
  /** What the library said, for the log alone. */
  readonly cause?: string;
  /** The first 4 KiB of the response's body. */
  readonly response?: string;
  readonly responseTruncated: boolean;
  /** The delay that the receiver asked for with `Retry-After`. */
  readonly retryAfterMs?: number;
}

/**
 * - `timeout`: the exchange exceeded its time limit.
 * - `refused-address`: nothing was sent: the address must not be dialled (D-44).
 * - `name`: the name has no address.
 * - `connect`: no connection; `tls`: no trusted one; `connection`: it broke.
 * - `redirect`, `gone`, `status`: the response was 3xx, 410, another status.
 * - `response`: the response was no HTTP.
 * - `unsendable`: the address is no URL that this service sends to.
 * - `shutdown`: the service stopped during the attempt.
 */
export type AttemptFailure =
  | "timeout"
  | "refused-address"
  | "name"
  | "connect"
  | "tls"
  | "connection"
  | "redirect"
  | "gone"
  | "status"
  | "response"
  | "unsendable"
  | "shutdown";

/** The end of a claim: the delivery was attempted, or is released without an attempt and due again at `dueAt`. */
export type AttemptResult =
  | {
      readonly kind: "attempted";
      readonly delivery: DeliveryRecord;
      /** The address that it was sent to. */
      readonly callbackUrl: string;
      readonly outcome: AttemptOutcome;
    }
  | { readonly kind: "released"; readonly delivery: DeliveryRecord; readonly dueAt: number };
