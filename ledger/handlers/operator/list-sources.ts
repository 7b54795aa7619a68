import type { ListSourcesHandler } from "../../../generated/operator/handlers.ts";
import { sourceOf } from "../presenters/catalog.ts";
import { listById } from "../services/list-by-id.ts";
import type { Contexts } from "./contexts.ts";
import { sourcesAfter } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the event sources with the events that they offer, page by page, in the order of creation.
 *
 * @see section 4.16 · D-36
 */
export const listSources: ListSourcesHandler<Contexts> = async (payload, context) => {
  const { items, next } = await listById(context, payload, sourcesAfter);
  return { sources: items.map(sourceOf), ...next };
};
