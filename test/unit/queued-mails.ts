import type { BankMailDraft } from "../../ledger/mails.ts";
import type { OwnMailDraft } from "../../runtime/events/mail/render-mail.ts";
import type { Sealer } from "../../runtime/store/ports/index.ts";

export type QueuedMail = BankMailDraft | OwnMailDraft;

/** A sealer that keeps the drafts of mails it seals: nothing else tells them once they wait. */
export function notingMails(sealer: Sealer, mails: QueuedMail[]): Sealer {
  return {
    ...sealer,
    seal(text) {
      if (text.startsWith('{"kind":')) mails.push(JSON.parse(text));
      return sealer.seal(text);
    },
  };
}
