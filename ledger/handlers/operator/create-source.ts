import type { CreateSourceHandler } from "../../../generated/operator/handlers.ts";
import { timestampText } from "../../../runtime/contract/index.ts";
import { visible } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { sourceByName, sources } from "../../../runtime/store/tables/index.ts";

/** Defines an event source and the events that it offers. @see section 4.16 · D-36 */
export const createSource: CreateSourceHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock, ids } = context;
  const keyIds = payload.keyIds ?? [];
  const known = await visible(context).knownKeys(keyIds);
  const unknownAt = keyIds.findIndex((keyId) => !known.has(keyId));
  if (unknownAt >= 0) throw context.error("NOT_FOUND_KEY", { field: `/keyIds/${unknownAt}` });
  const taken = await store.one(sourceByName, caller.institutionId, payload.source);
  if (taken !== undefined) throw context.error("CONFLICT", { field: "/source", reason: "taken" });

  const source = {
    id: ids.id(),
    institutionId: caller.institutionId,
    source: payload.source,
    events: payload.events,
    keyIds: [...new Set(keyIds)],
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await store.insert(sources, source);
  return {
    sourceId: source.id,
    source: source.source,
    createdDate: timestampText(source.createdAt),
  };
};
