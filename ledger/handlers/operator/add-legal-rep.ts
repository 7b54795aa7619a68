import type { AddLegalRepHandler } from "../../../generated/operator/handlers.ts";
import { omitUndefined, timestampText } from "../../../runtime/contract/index.ts";
import type { LegalRepRecord } from "../../domain/records/parties.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { legalReps } from "../../tables/index.ts";

/**
 * Adds a legal representative to a business customer. The representative is active at once.
 *
 * @see section 2.5 · D-28
 */
export const addLegalRep: AddLegalRepHandler<Contexts> = async (payload, context) => {
  const customer = await scopedReader(context).customer(payload.customerId);
  if (customer?.type !== "BUSINESS") throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });

  const legalRep: LegalRepRecord = {
    id: context.ids.id(),
    institutionId: customer.institutionId,
    customerId: customer.id,
    name: payload.name,
    email: payload.email,
    ...omitUndefined({ phoneNumber: payload.phoneNumber }),
    status: "ACTIVE",
    createdAt: context.clock.now(),
    updatedAt: context.clock.now(),
  };
  await context.store.insert(legalReps, legalRep);
  return {
    legalRepId: legalRep.id,
    customerId: legalRep.customerId,
    status: legalRep.status,
    createdDate: timestampText(legalRep.createdAt),
  };
};
