import type { GetSourceHandler } from "../../../generated/operator/handlers.ts";
import { sourceOf } from "../presenters/catalog.ts";
import type { Contexts } from "./contexts.ts";
import { sourceByName } from "../../../runtime/store/tables/index.ts";

/** Reads an event source, by its name. @see section 4.16 · D-36 */
export const getSource: GetSourceHandler<Contexts> = async (payload, context) => {
  const source = await context.store.one(sourceByName, context.caller.institutionId, payload.source);
  if (source === undefined) throw context.error("NOT_FOUND_SOURCE", { field: "/source" });
  return { source: sourceOf(source) };
};
