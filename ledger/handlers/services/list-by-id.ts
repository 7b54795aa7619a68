import { omitUndefined } from "../../../runtime/contract/index.ts";
import { idOf, idToken, pageOf, standardPageSize } from "../../../runtime/operations/admin/index.ts";
import type { ReadContext } from "../../../runtime/pipeline/index.ts";
import type { Query } from "../../../runtime/store/tables/index.ts";

/** The paging fields of a list in the order of identifiers, which is that of creation. */
interface PageAsked {
  readonly pageSize?: number;
  readonly after?: string;
}

/** A page of the institution's records that a query finds after an identifier. `next` holds the token, or nothing. */
export async function listById<R extends { readonly id: string }>(
  context: Pick<ReadContext, "store" | "caller"> & Parameters<typeof idOf>[0],
  { pageSize = standardPageSize, after }: PageAsked,
  query: Query<R>,
  ...within: readonly string[]
): Promise<{ readonly items: readonly R[]; readonly next: { readonly next?: string } }> {
  const { store, caller } = context;
  const place = idOf(context, after) ?? "";
  const found = await store.many(query, caller.institutionId, ...within, place, pageSize + 1);
  const { items, next } = pageOf(found, pageSize, ({ id }) => idToken(id));
  return { items, next: omitUndefined({ next }) };
}
