import type { Mail, MailAttempt, MailKind } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import type { MailAttemptRecord, OutboxMailRecord } from "../../../runtime/store/ports/index.ts";
import { optionalTimestamp } from "./optional-timestamp.ts";

/** A mail as the operator sees it: without its address and text. */
export function mailOf(mail: OutboxMailRecord): Mail {
  const { id, kind, userName, recipientId, state, attempts, claimedBy, dueAt } = mail;
  return {
    mailId: id,
    kind: isMailKind(kind) ? kind : "unknown",
    ...omitUndefined({ userName, legalRepId: recipientId } satisfies Given<Mail>),
    state,
    attempts,
    ...omitUndefined({
      nextAttemptDate: claimedBy === undefined ? optionalTimestamp(dueAt) : undefined,
      failedDate: state === "FAILED" ? optionalTimestamp(mail.failedAt) : undefined,
      sentDate: optionalTimestamp(mail.sentAt),
      expiryDate: optionalTimestamp(mail.expiresAt),
    } satisfies Given<Mail>),
    createdDate: timestampText(mail.createdAt),
  };
}

const mailKinds: Readonly<Record<MailKind, true>> = {
  "one-time-password": true,
  "portal-login": true,
  "endpoint-failing": true,
  "endpoint-given-up": true,
  "endpoint-gone": true,
  "events-waiting": true,
  unknown: true,
};

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(mailKinds, kind);
}

export function mailAttemptOf(attempt: MailAttemptRecord): MailAttempt {
  const { number, startedAt, durationMs, failure, detail } = attempt;
  return {
    number,
    startedDate: timestampText(startedAt),
    durationMs,
    ...omitUndefined({ failure, detail } satisfies Given<MailAttempt>),
  };
}
