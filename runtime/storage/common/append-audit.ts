import { auditHash } from "../../domain/index.ts";
import type { AuditDraft } from "../../ports/index.ts";
import type { WriteEngine } from "./engine.ts";
import * as queries from "./queries.ts";
import { auditEntries } from "../tables/index.ts";

/** Links an entry to the chain of its subject. A subject that is wrongly called new is refused by its taken position. */
export async function appendAudit(engine: WriteEngine, { isFirst, ...entry }: AuditDraft): Promise<void> {
  const { institutionId, subjectType, subjectId } = entry;
  const head = isFirst
    ? undefined
    : await engine.one(queries.auditHead, [institutionId, subjectType, subjectId, 1]);
  const place = { position: (head?.position ?? 0) + 1, previousHash: head?.hash ?? "" };
  const hash = auditHash(entry, place);
  await engine.insertAll(auditEntries, [{ ...entry, position: place.position, hash }]);
}
