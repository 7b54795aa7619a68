import type { ListCustomersHandler } from "../../../generated/operator/handlers.ts";
import type { ListCustomersResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import type { CustomerRecord } from "../../domain/records/parties.ts";
import { idOf, idToken, pageOf, standardPageSize } from "../../../runtime/operations/admin/index.ts";
import { customerSummary } from "../presenters/people.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { customersAfter as customersAfterQuery } from "../../tables/index.ts";

/**
 * Lists the customers of the institution, page by page, by identifier, which is the order of creation.
 *
 * @see section 2.4 · D-19
 */
export const listCustomers: ListCustomersHandler<Contexts> = async (payload, context) => {
  const { pageSize = standardPageSize } = payload;
  const found = await customersAfter(context, idOf(context, payload.after), pageSize + 1);
  const { items, next } = pageOf(found, pageSize, ({ id }) => idToken(id));
  return {
    customers: items.map(customerSummary),
    ...omitUndefined({ next } satisfies Given<ListCustomersResult>),
  };
};

/** An operator bound to customers sees those alone, which are few. */
async function customersAfter(
  context: Contexts["read"],
  after: string | undefined,
  limit: number,
): Promise<readonly CustomerRecord[]> {
  const { store, caller } = context;
  if (caller.groups === undefined)
    return store.many(customersAfterQuery, caller.institutionId, after ?? "", limit);
  const ids = caller.groups.filter((id) => after === undefined || id > after).toSorted();
  const found: CustomerRecord[] = [];
  for (const id of ids) {
    if (found.length === limit) break;
    const customer = await scopedReader(context).customer(id);
    if (customer !== undefined) found.push(customer);
  }
  return found;
}
