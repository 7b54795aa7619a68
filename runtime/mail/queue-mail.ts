import type {
  Clock,
  IdSource,
  MailDraft,
  MailMessage,
  MailRecipient,
  Sealer,
  Writes,
} from "../ports/index.ts";
import { outboxMails } from "../storage/tables/index.ts";

export interface QueueMailOptions {
  readonly ids: IdSource;
  readonly clock: Pick<Clock, "now">;
  readonly sealer: Sealer;
  renderMail(draft: MailDraft): MailMessage | Promise<MailMessage>;
}

/** Adds a mail to the outbox, sealed. */
export async function queueMail(
  tx: Writes,
  draft: MailDraft,
  recipient: MailRecipient,
  { ids, clock, sealer, renderMail }: QueueMailOptions,
): Promise<void> {
  const message = await renderMail(draft);
  const nowMs = clock.now();
  await tx.insert(outboxMails, {
    id: ids.id(),
    ...recipient,
    kind: draft.kind,
    messageSealed: sealer.seal(JSON.stringify(message)),
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
  });
}
