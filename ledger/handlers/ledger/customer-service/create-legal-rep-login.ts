import type { CreateLegalRepLoginHandler } from "../../../../generated/ledger/handlers.ts";
import type { BankMailDraft } from "../../../mails.ts";
import { newPortalLogin, removeLoginMails } from "../../services/users.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { portalLogins } from "../../../tables/index.ts";

/**
 * Creates login credentials for the customer portal. Username, password, authenticator code and authenticator
 * QR code are sent by e-mail to the legal representative and nowhere else. A second call replaces the login
 * and revokes the first. A representative who is INACTIVE gets none.
 *
 * @see section 4.14 · D-35 · D-50
 */
export const createLegalRepLogin: CreateLegalRepLoginHandler<Contexts> = async (payload, context) => {
  const legalRep = await scopedReader(context).legalRep(payload.legalrepID);
  if (legalRep === undefined) throw context.error("NOT_FOUND_LEGAL_REP", { field: "/legalrepID" });
  if (legalRep.status === "INACTIVE") {
    throw context.error("CONFLICT", { field: "/legalrepID", reason: "inactive" });
  }

  const { userName, password, passwordHash, totpSecret } = await newPortalLogin(context.ids);
  await context.store.put(portalLogins, {
    legalRepId: legalRep.id,
    institutionId: legalRep.institutionId,
    userName,
    passwordHash,
    totpSecretSealed: context.sealer.seal(totpSecret),
    createdAt: context.clock.now(),
  });
  // One that is on its way has the login that is valid no longer.
  await removeLoginMails(context.store, legalRep.institutionId, legalRep.id);
  await context.mail.queue(
    {
      kind: "portal-login",
      to: legalRep.email,
      name: legalRep.name,
      userName,
      password,
      totpSecret,
    } satisfies BankMailDraft,
    { institutionId: legalRep.institutionId, recipientId: legalRep.id },
  );
  return { ID: legalRep.id, message: "Login credentials have been sent by e-mail" };
};
