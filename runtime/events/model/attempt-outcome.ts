import type { Changes, DeliveryRecord, OutboxMailRecord, UnavailableError } from "../../store/ports/index.ts";
import type { MailFailure } from "../mail/mail-error.ts";

/** How one attempt ended. */
export interface AttemptOutcome {
  readonly startedAt: number;
  readonly durationMs: number;
  /** From the response, if one arrived. */
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
 * - `refused-address`: nothing was sent: the address must not be dialled.
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

/** How an attempt to send a mail ended. */
export type MailOutcome =
  | ({ readonly kind: "sent" } & MadeAttempt)
  /** This machine was at fault: it was no attempt. */
  | { readonly kind: "postponed"; readonly error: UnavailableError }
  | FailedAttempt;

export interface MadeAttempt {
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface FailedAttempt extends MadeAttempt {
  readonly kind: "failed";
  readonly failure: MailFailure;
  /** A word of a fixed list, or the codes that the server gave. */
  readonly detail: string;
  /** What the server or a library said, for the log; without the address and the text of the mail. */
  readonly cause: string;
  /** The server was sent all of it. */
  readonly isHandedOver: boolean;
}

/** The end of a claim, whatever kind of job it is. */
export type JobResult = AttemptResult | MailResult;

/** The end of a claim on a mail, and what it becomes by that. */
export interface MailResult {
  readonly kind: "mail";
  readonly mail: OutboxMailRecord;
  readonly outcome: MailOutcome;
  readonly changes: Changes<OutboxMailRecord>;
}

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
