import type { UpdateShareHolderHandler } from "../../../../generated/ledger/handlers.ts";
import type {
  ShareHolderAddress,
  ShareHolderContact,
  UpdateShareHolderResult,
} from "../../../../generated/ledger/types.ts";
import { type Given, omitUndefined, sameNames } from "../../../../runtime/contract/index.ts";
import type {
  ContactRecord,
  ShareHolderAddressRecord,
  ShareHolderRecord,
} from "../../../domain/records/parties.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { shareHolders } from "../../../tables/index.ts";

/**
 * Updates a shareholder of a business customer. A field that is absent stays as it is.
 *
 * @see section 4.6 · D-06 · D-14
 */
export const updateShareHolder: UpdateShareHolderHandler<Contexts> = async (payload, context) => {
  const shareHolder = await scopedReader(context).shareHolder(payload.Id);
  if (shareHolder?.customerId !== payload.customerId) {
    const customer = await scopedReader(context).customer(payload.customerId);
    if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
    throw context.error("NOT_FOUND_SHAREHOLDER", { field: "/Id" });
  }

  const updated: ShareHolderRecord = {
    ...shareHolder,
    name: payload.name,
    identification: payload.identification,
    contact: { ...shareHolder.contact, ...sameNames<ShareHolderContact, ContactRecord>(payload.contact) },
    address: {
      ...shareHolder.address,
      ...sameNames<ShareHolderAddress, ShareHolderAddressRecord>(payload.address),
    },
    ...omitUndefined({
      status: payload.Status,
      ownershipPercent: payload.ownershipPercent,
      dateOfBirth: payload.DOB,
    }),
    updatedAt: context.clock.now(),
  };
  await context.store.replace(shareHolders, updated, shareHolder);
  return {
    Id: updated.id,
    CustomerId: updated.customerId,
    Name: updated.name,
    ...omitUndefined({ EmailID: updated.contact.email } satisfies Given<UpdateShareHolderResult>),
    Status: updated.status,
  };
};
