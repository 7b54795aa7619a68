import type { UpdateCustomerHandler } from "../../../../generated/ledger/handlers.ts";
import type { CustomerRecord } from "../../../ports/index.ts";
import { businessCustomerOf } from "../../records/business-customer.ts";
import { given } from "../../steps/given.ts";
import { assertProjection, projectionAfter } from "../../steps/monthly-projection.ts";
import { visible } from "../../steps/visible.ts";
import type { Contexts } from "../contexts.ts";

/**
 * Updates the details of a business customer. A field that is absent stays as it is.
 *
 * @see section 4.3 · D-14
 */
export const updateCustomer: UpdateCustomerHandler<Contexts> = async (payload, context) => {
  assertProjection(context, payload.monthlyProjection);
  const customer = await visible(context).customer(payload.ID);
  if (customer?.type !== "BUSINESS") throw context.error("NOT_FOUND_CUSTOMER", { field: "/ID" });

  const updated: CustomerRecord = {
    ...customer,
    name: payload.businessNameLegal,
    address: { ...customer.address, ...payload.address },
    contact: { ...customer.contact, ...payload.contact },
    ...given({
      dateEstablished: payload.dateEstablished,
      generalBusinessDescription: payload.generalBusinessDescription,
      monthlyProjection: projectionAfter(context, customer.monthlyProjection, payload.monthlyProjection),
    }),
    updatedAt: context.clock.now(),
  };
  await context.store.customers.replace(updated);
  return businessCustomerOf(updated);
};
