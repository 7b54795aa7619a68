import { auditHash } from "../chains.ts";
import type { AuditDraft, AuditQuery, AuditRecord, Reads, Writes } from "../ports/index.ts";
import {
  auditAfter,
  auditEntries,
  auditHead,
  auditListing,
  type StoredAuditRecord,
} from "../tables/index.ts";

/** Links an entry to the chain of its subject. A subject that is wrongly called new is refused by its taken position. */
export async function appendAudit(tx: Writes, { isFirst, ...entry }: AuditDraft): Promise<void> {
  const { institutionId, subjectType, subjectId } = entry;
  const head = isFirst ? undefined : await tx.one(auditHead, institutionId, subjectType, subjectId, 1);
  const place = { position: (head?.position ?? 0) + 1, previousHash: head?.hash ?? "" };
  const hash = auditHash(entry, place);
  await tx.insert(auditEntries, { ...entry, position: place.position, hash });
}

/** A page of an institution's entries, the newest first; with `after`, the oldest first. */
export async function readAudit(view: Reads, query: AuditQuery): Promise<readonly AuditRecord[]> {
  return (await view.page(auditListing(query))).map(numbered);
}

/** Entries of all institutions after a sequence, the oldest first. */
export async function readAuditAfter(
  view: Reads,
  sequence: number,
  limit: number,
): Promise<readonly AuditRecord[]> {
  return (await view.many(auditAfter, sequence, limit)).map(numbered);
}

function numbered({ sequence, number, ...entry }: StoredAuditRecord): AuditRecord {
  if (sequence === undefined || number === undefined) throw new Error("an audit entry without its numbers");
  return { sequence, number, ...entry };
}
