import type {
  Clock,
  IdSource,
  MailDraft,
  MailMessage,
  MailRecipient,
  Sealer,
  StoreTransaction,
} from "../ports/index.ts";

export interface QueueMailOptions {
  readonly ids: IdSource;
  readonly clock: Pick<Clock, "now">;
  readonly sealer: Sealer;
  renderMail(draft: MailDraft): MailMessage | Promise<MailMessage>;
}

/** Adds a mail to the outbox, sealed. A login takes the place of the representative's earlier one that was not sent yet. */
export async function queueMail(
  tx: StoreTransaction,
  draft: MailDraft,
  recipient: MailRecipient,
  { ids, clock, sealer, renderMail }: QueueMailOptions,
): Promise<void> {
  const { kind } = draft;
  const { institutionId, legalRepId } = recipient;
  if (kind === "portal-login" && legalRepId !== undefined)
    await tx.outboxMails.removeOfLegalRep(institutionId, legalRepId, kind);
  const message = await renderMail(draft);
  const nowMs = clock.now();
  await tx.outboxMails.insert({
    id: ids.id(),
    ...recipient,
    kind,
    messageSealed: sealer.seal(JSON.stringify(message)),
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
  });
}
