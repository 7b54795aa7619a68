import type {
  UpdateCustomerErrorCode,
  UpdateCustomerFieldPointer,
  UpdateCustomerHandler,
} from "../../../../generated/ledger/handlers.ts";
import type { Address, Contact, UpdateCustomerPayload } from "../../../../generated/ledger/types.ts";
import { type HandlerContext, omitUndefined, sameNames } from "../../../../runtime/contract/index.ts";
import type { AddressRecord, ContactRecord, CustomerRecord } from "../../../domain/records/parties.ts";
import { businessCustomerOf } from "../../presenters/business-customer.ts";
import { assertProjection, projectionAfter } from "../../services/money-fields.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { customers } from "../../../tables/index.ts";
import { institutionById } from "../../../../runtime/store/tables/index.ts";

/**
 * Updates the details of a business customer. A field that is absent stays as it is.
 *
 * @see section 4.3 · D-14 · D-53
 */
export const updateCustomer: UpdateCustomerHandler<Contexts> = async (payload, context) => {
  assertProjection(context, payload.monthlyProjection);
  await assertOwnInstitution(context, payload);
  const customer = await scopedReader(context).customer(payload.ID);
  if (customer?.type !== "BUSINESS") throw context.error("NOT_FOUND_CUSTOMER", { field: "/ID" });

  const updated: CustomerRecord = {
    ...customer,
    name: payload.businessNameLegal,
    address: { ...customer.address, ...sameNames<Address, AddressRecord>(payload.address ?? {}) },
    contact: { ...customer.contact, ...sameNames<Contact, ContactRecord>(payload.contact ?? {}) },
    ...omitUndefined({
      dateEstablished: payload.dateEstablished,
      generalBusinessDescription: payload.generalBusinessDescription,
      monthlyProjection: projectionAfter(context, customer.monthlyProjection, payload.monthlyProjection),
    }),
    updatedAt: context.clock.now(),
  };
  await context.store.replace(customers, updated, customer);
  return businessCustomerOf(updated);
};

/** The customer's bank, where it is named, is the one that the caller works with: an update does not change it (D-53). */
async function assertOwnInstitution(
  {
    store,
    caller,
    error,
  }: HandlerContext<UpdateCustomerErrorCode, UpdateCustomerFieldPointer> & Contexts["write"],
  { institutionId, institutionName }: UpdateCustomerPayload,
): Promise<void> {
  const reason = "another-institution";
  if (institutionName !== undefined) {
    const institution = await store.one(institutionById, caller.institutionId);
    if (institution?.name !== institutionName)
      throw error("BAD_INPUT", { field: "/institutionName", reason });
  }
  if (institutionId !== undefined && institutionId !== caller.institutionId) {
    throw error("BAD_INPUT", { field: "/institutionId", reason });
  }
}
