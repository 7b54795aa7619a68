import { omitUndefined } from "../../contract/index.ts";
import { timestampText } from "../../contract/times.ts";
import { removeMail } from "../../events/mail/stored-mails.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type { MailAttemptRecord, MailState, OutboxMailRecord } from "../../store/ports/index.ts";
import { attemptsOfMail, mailById, mailListing } from "../../store/tables/index.ts";
import {
  optionalTimestamp,
  pageOf,
  pageToken,
  placeOf,
  standardPageSize,
  type Failing,
  type PageErrors,
} from "./pages.ts";
import type { Visible } from "./visible.ts";

export interface OneMail {
  readonly mailId: string;
}

export interface MailsAsked {
  readonly state?: MailState;
  readonly pageSize?: number;
  readonly after?: string;
}

type MissesMail = Failing<"NOT_FOUND_MAIL", "/mailId">;

/** Failed mails that one call sends again. */
const resentMax = 500;

/** Mails without their addresses and texts, as far as the caller sees them. */
// oxlint-disable-next-line max-lines-per-function -- a table of handlers that find by the same rules
export const mailHandlers = (visible: Visible) => {
  async function found({ mailId }: OneMail, context: ReadContext & MissesMail): Promise<OutboxMailRecord> {
    const mail = await visible(context).mail(mailId);
    if (mail === undefined) throw context.error("NOT_FOUND_MAIL", { field: "/mailId" });
    return mail;
  }

  return {
    /** A page of mails, the newest first. */
    async listMails(
      { state, pageSize = standardPageSize, after }: MailsAsked,
      context: ReadContext & PageErrors,
    ) {
      const { institutionId } = context.caller;
      const listed = await context.store.page(
        mailListing({
          institutionId,
          ...omitUndefined({ state, after: placeOf(context, after) }),
          limit: pageSize + 1,
        }),
      );
      const { items, next } = pageOf(listed, pageSize, pageToken);
      const mails = await visible(context).mailsOf(items);
      return { mails: mails.map(mailOf), ...omitUndefined({ next }) };
    },

    /** A mail with its latest 20 attempts. */
    async getMail(asked: OneMail, context: ReadContext & MissesMail) {
      const mail = await found(asked, context);
      const attempts = await context.store.many(attemptsOfMail, mail.id);
      return { mail: mailOf(mail), attemptsMade: attempts.map(mailAttemptOf) };
    },

    /** Sends a mail again that has not been sent; one that is being sent or was sent stays as it is. */
    async resendMail(asked: OneMail, context: WriteContext & MissesMail) {
      const mail = await found(asked, context);
      const { id, state } = mail.state === "SENT" ? mail : await resend(context, mail);
      return { mailId: id, state };
    },

    /** Sends the mails again that are FAILED, the newest first; `more` says whether there are others. */
    async resendFailedMails({ limit = resentMax }: { readonly limit?: number }, context: WriteContext) {
      const { institutionId } = context.caller;
      const failed = await context.store.page(
        mailListing({ institutionId, state: "FAILED", limit: limit + 1 }),
      );
      const mails = await visible(context).mailsOf(failed.slice(0, limit));
      for (const mail of mails) await resend(context, mail);
      // Those that the caller does not see stay where they are: without one that was sent again there is no use in going on.
      return { queued: mails.length, more: failed.length > limit && mails.length > 0 };
    },

    /** Removes a mail with its attempts. One that is being sent may still arrive. */
    async removeMail(asked: OneMail, context: WriteContext & MissesMail) {
      const mail = await found(asked, context);
      await removeMail(context.store, mail.id);
      await context.audit.record({ subjectType: "mail", subjectId: mail.id, changes: [] });
      return { mailId: mail.id };
    },
  };
};

/** Makes a mail due now, with the whole retry schedule before it; one that is being sent stays as it is. */
async function resend(
  { store, clock, mail: queue, audit }: WriteContext,
  mail: OutboxMailRecord,
): Promise<OutboxMailRecord> {
  await audit.record({ subjectType: "mail", subjectId: mail.id, changes: [] });
  if (mail.claimedBy !== undefined) return mail;
  const due = { state: "PENDING", failures: 0, dueAt: Math.min(mail.createdAt, clock.now()) } as const;
  const { failedAt: _failed, ...rest } = mail;
  await store.update(mailById, { ...due, failedAt: undefined }, mail.id);
  queue.wake();
  return { ...rest, ...due };
}

/** A mail as operators see it. */
function mailOf(mail: OutboxMailRecord) {
  const { id, kind, userName, recipientId, state, attempts, claimedBy, dueAt } = mail;
  return {
    mailId: id,
    kind,
    ...omitUndefined({ userName, recipientId }),
    state,
    attempts,
    ...omitUndefined({
      nextAttemptDate: claimedBy === undefined ? optionalTimestamp(dueAt) : undefined,
      failedDate: state === "FAILED" ? optionalTimestamp(mail.failedAt) : undefined,
      sentDate: optionalTimestamp(mail.sentAt),
      expiryDate: optionalTimestamp(mail.expiresAt),
    }),
    createdDate: timestampText(mail.createdAt),
  };
}

export type ShownMail = ReturnType<typeof mailOf>;

function mailAttemptOf(attempt: MailAttemptRecord) {
  const { number, startedAt, durationMs, failure, detail } = attempt;
  return {
    number,
    startedDate: timestampText(startedAt),
    durationMs,
    ...omitUndefined({ failure, detail }),
  };
}
