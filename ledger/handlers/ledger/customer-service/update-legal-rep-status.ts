import type { UpdateLegalRepStatusHandler } from "../../../../generated/ledger/handlers.ts";
import { timestampText } from "../../../../runtime/contract/index.ts";
import { removeLoginMails } from "../../services/users.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { legalReps, portalLoginByLegalRep } from "../../../tables/index.ts";

/** Activates or deactivates a legal representative. An INACTIVE one has no login. @see section 4.4 · D-50 */
export const updateLegalRepStatus: UpdateLegalRepStatusHandler<Contexts> = async (payload, context) => {
  const stored = await scopedReader(context).legalRep(payload.ID);
  if (stored === undefined) throw context.error("NOT_FOUND_LEGAL_REP", { field: "/ID" });

  const changes = stored.status !== payload.Status;
  const legalRep = changes ? { ...stored, status: payload.Status, updatedAt: context.clock.now() } : stored;
  if (changes) await context.store.replace(legalReps, legalRep, stored);
  if (legalRep.status === "INACTIVE") {
    await context.store.remove(portalLoginByLegalRep, legalRep.institutionId, legalRep.id);
    await removeLoginMails(context.store, legalRep.institutionId, legalRep.id);
  }
  return {
    ID: legalRep.id,
    status: legalRep.status,
    createdDate: timestampText(legalRep.createdAt),
    updatedDate: timestampText(legalRep.updatedAt),
  };
};
