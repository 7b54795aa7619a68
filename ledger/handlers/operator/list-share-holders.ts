import type { ListShareHoldersHandler } from "../../../generated/operator/handlers.ts";
import { shareHolderSummary } from "../presenters/people.ts";
import { listById } from "../services/list-by-id.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { shareHoldersOfCustomer } from "../../tables/index.ts";

/**
 * Lists the shareholders of a business customer, page by page, in the order of creation.
 *
 * @see section 2.6 · D-19
 */
export const listShareHolders: ListShareHoldersHandler<Contexts> = async (payload, context) => {
  const customer = await scopedReader(context).customer(payload.customerId);
  if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  const { items, next } = await listById(context, payload, shareHoldersOfCustomer, customer.id);
  return { shareHolders: items.map(shareHolderSummary), ...next };
};
