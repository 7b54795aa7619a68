import type { GetCustomerHandler } from "../../../generated/operator/handlers.ts";
import { customerOf } from "../presenters/people.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a customer with all that the service keeps of it. @see section 2.4 · D-19 · D-28 */
export const getCustomer: GetCustomerHandler<Contexts> = async ({ customerId }, context) => {
  const customer = await scopedReader(context).customer(customerId);
  if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  return { customer: customerOf(customer) };
};
