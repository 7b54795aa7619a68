import type { GetSourceHandler } from "../../../generated/ledger/handlers.ts";
import { timestampText } from "../../../runtime/contract/index.ts";
import type { Contexts } from "./contexts.ts";
import { sourceByName, sourceById } from "../../../runtime/store/tables/index.ts";

/**
 * Reads an event source, by its name or by its identifier, and the events that it offers. Where both are
 * given they must name the same source.
 *
 * @see section 4.16 · D-22 · D-36
 */
export const getSource: GetSourceHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const byName =
    payload.source === undefined
      ? undefined
      : await store.one(sourceByName, caller.institutionId, payload.source);
  const byId =
    payload.id === undefined ? undefined : await store.one(sourceById, caller.institutionId, payload.id);
  const source = byName ?? byId;
  if (source === undefined) throw context.error("NOT_FOUND_SOURCE");
  if (payload.source !== undefined && payload.id !== undefined && byName?.id !== byId?.id) {
    throw context.error("BAD_INPUT", { field: "/id", reason: "another-source" });
  }

  return {
    id: source.id,
    createdDate: timestampText(source.createdAt),
    updatedDate: timestampText(source.updatedAt),
    source: source.source,
    events: source.events,
    keyIds: source.keyIds,
  };
};
