import type { AddShareHolderHandler } from "../../../generated/operator/handlers.ts";
import type { ShareHolderAddress, ShareHolderContact } from "../../../generated/operator/types.ts";
import { omitUndefined, sameNames, timestampText } from "../../../runtime/contract/index.ts";
import type {
  ContactRecord,
  ShareHolderAddressRecord,
  ShareHolderRecord,
} from "../../domain/records/parties.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { shareHolders } from "../../tables/index.ts";

/** Adds a shareholder to a business customer. The shareholder is enabled at once. @see section 2.6 · D-28 */
export const addShareHolder: AddShareHolderHandler<Contexts> = async (payload, context) => {
  const customer = await scopedReader(context).customer(payload.customerId);
  if (customer?.type !== "BUSINESS") throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });

  const shareHolder: ShareHolderRecord = {
    id: context.ids.id(),
    institutionId: customer.institutionId,
    customerId: customer.id,
    name: payload.name,
    identification: payload.identification,
    contact: sameNames<ShareHolderContact, ContactRecord>(payload.contact),
    address: sameNames<ShareHolderAddress, ShareHolderAddressRecord>(payload.address),
    status: "ENABLED",
    ...omitUndefined({ ownershipPercent: payload.ownershipPercent, dateOfBirth: payload.dateOfBirth }),
    createdAt: context.clock.now(),
    updatedAt: context.clock.now(),
  };
  await context.store.insert(shareHolders, shareHolder);
  return {
    shareHolderId: shareHolder.id,
    customerId: shareHolder.customerId,
    status: shareHolder.status,
    createdDate: timestampText(shareHolder.createdAt),
  };
};
