import type { AddShareHolderHandler } from "../../../../generated/ledger/handlers.ts";
import { omitUndefined } from "../../../../runtime/contract/index.ts";
import type { ShareHolderRecord } from "../../../domain/records/parties.ts";
import { shareHolderOf } from "../../presenters/share-holder.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { shareHolders } from "../../../tables/index.ts";

/**
 * Adds a shareholder to a business customer. The shareholder is enabled at once.
 *
 * @see section 4.6.1
 * @since 1.0.12
 */
export const addShareHolder: AddShareHolderHandler<Contexts> = async (payload, context) => {
  const customer = await scopedReader(context).customer(payload.customerId);
  if (customer?.type !== "BUSINESS") throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });

  const shareHolder: ShareHolderRecord = {
    id: context.ids.id(),
    institutionId: customer.institutionId,
    customerId: customer.id,
    name: payload.name,
    identification: payload.identification,
    contact: payload.contact,
    address: payload.address,
    status: "ENABLED",
    ...omitUndefined({ ownershipPercent: payload.ownershipPercent, dateOfBirth: payload.DOB }),
    createdAt: context.clock.now(),
    updatedAt: context.clock.now(),
  };
  await context.store.insert(shareHolders, shareHolder);
  return shareHolderOf(shareHolder);
};
