import type { ClaimedChange, OutboxMailRecord, Writes } from "../../store/ports/index.ts";
import { attemptsOfMail, claimedMail, claimedMails, mailById } from "../../store/tables/index.ts";

/** Changes a mail if its claim still holds, and says whether it did. */
export async function changeClaimedMail(
  tx: Writes,
  { id, claimedBy, attempts, changes }: ClaimedChange<OutboxMailRecord>,
): Promise<boolean> {
  return (await tx.update(claimedMail, changes, id, claimedBy, attempts)) === 1;
}

/** Makes every claimed mail due, whichever process claimed it: for a single process, when it starts. */
export function releaseMailClaims(tx: Writes, nowMs: number): Promise<number> {
  return tx.update(claimedMails, { claimedBy: undefined, dueAt: nowMs }, "");
}

/** With its attempts. Does nothing if the mail does not exist. */
export async function removeMail(tx: Writes, id: string): Promise<void> {
  await tx.remove(attemptsOfMail, id);
  await tx.remove(mailById, id);
}
