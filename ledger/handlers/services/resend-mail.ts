import type { OutboxMailRecord } from "../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../runtime/service/handler-context.ts";
import { mailById } from "../../../runtime/store/tables/index.ts";

/** Makes a mail due now, with the whole retry schedule before it; one that is being sent stays as it is. */
export async function resendMail(
  { store, clock, mail: queue, audit }: Pick<WriteContext, "store" | "clock" | "mail" | "audit">,
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
