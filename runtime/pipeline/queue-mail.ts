import type { Clock, IdSource, Sealer, Writes } from "../store/ports/index.ts";
import type { MailDraft, MailRecipient } from "./handler-context.ts";
import { outboxMails } from "../store/tables/index.ts";

export interface QueueMailOptions {
  readonly ids: IdSource;
  readonly clock: Pick<Clock, "now">;
  readonly sealer: Sealer;
}

/** Adds a mail to the outbox, sealed. Its message is written when it is sent: drawing a picture would hold up the store's writer. */
export async function queueMail(
  tx: Writes,
  draft: MailDraft,
  recipient: MailRecipient,
  { ids, clock, sealer }: QueueMailOptions,
): Promise<void> {
  const nowMs = clock.now();
  await tx.insert(outboxMails, {
    id: ids.id(),
    ...recipient,
    kind: draft.kind,
    messageSealed: sealer.seal(JSON.stringify(draft)),
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
  });
}
