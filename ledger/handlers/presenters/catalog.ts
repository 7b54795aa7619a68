import type { Category, EventSource } from "../../../generated/operator/types.ts";
import { omitUndefined, timestampText, type Given } from "../../../runtime/contract/index.ts";
import type { SourceRecord } from "../../../runtime/store/ports/index.ts";
import type { CategoryRecord } from "../../domain/records/accounts.ts";

export function categoryOf({ id, name, description, createdAt }: CategoryRecord): Category {
  return {
    categoryId: id,
    name,
    ...omitUndefined({ description } satisfies Given<Category>),
    createdDate: timestampText(createdAt),
  };
}

export function sourceOf({ id, source, events, keyIds, createdAt, updatedAt }: SourceRecord): EventSource {
  return {
    sourceId: id,
    source,
    events,
    keyIds,
    createdDate: timestampText(createdAt),
    updatedDate: timestampText(updatedAt),
  };
}
