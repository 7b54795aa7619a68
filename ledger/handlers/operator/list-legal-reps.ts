import type { ListLegalRepsHandler } from "../../../generated/operator/handlers.ts";
import { legalRepOf } from "../presenters/people.ts";
import { listById } from "../services/list-by-id.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { legalRepsOfCustomer } from "../../tables/index.ts";

/**
 * Lists the legal representatives of a business customer, page by page, in the order of creation.
 *
 * @see section 2.5 · D-19
 */
export const listLegalReps: ListLegalRepsHandler<Contexts> = async (payload, context) => {
  const customer = await scopedReader(context).customer(payload.customerId);
  if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  const { items, next } = await listById(context, payload, legalRepsOfCustomer, customer.id);
  return { legalReps: items.map(legalRepOf), ...next };
};
