import { omitUndefined } from "../../../contract/index.ts";
import { auditHash } from "../../chains.ts";
import type { AuditChange } from "../../ports/index.ts";
import type { AuditBook } from "./books.ts";
import type { Findings } from "./findings.ts";

/** The state that the entries of a subject add up to. */
export interface AuditState {
  /** How many entries there are. */
  readonly entries: number;
  readonly contentHash?: string;
  /** The last values of fields that changed. */
  readonly values: ReadonlyMap<string, string | undefined>;
}

/** Follows the chain of one subject, and says what of it does not hold. */
export function followAuditChain(entries: Iterable<AuditBook>, findings: Findings): AuditState {
  let last: AuditBook | undefined;
  let count = 0;
  const values = new Map<string, string | undefined>();
  for (const entry of entries) {
    const wrong = (what: string) =>
      findings.add({ kind: "chain", table: "audit_entries", record: recordOf(entry), what });
    const expected = (last?.position ?? 0) + 1;
    if (entry.position !== expected) {
      wrong(`follows entry ${expected - 1} of its subject: entries between them are missing`);
    }
    const changes = changesOf(entry);
    if (changes === undefined) wrong("the changes are no JSON array of changes");
    else {
      const place = { position: entry.position, previousHash: last?.hash ?? "" };
      if (auditHash({ ...entry, changes }, place) !== entry.hash) {
        wrong("the hash is not that of the entry and the one before: one of them was changed");
      }
      for (const { field, to } of changes) values.set(field, to);
    }
    last = entry;
    count += 1;
  }
  return omitUndefined({
    entries: count,
    values,
    contentHash: last?.contentHash,
  });
}

/** Names an entry: its number, and its place in the chain of its subject. */
export function recordOf({ sequence, subjectType, subjectId, position }: AuditBook): string {
  return `${sequence} (entry ${position} of ${subjectType} ${subjectId})`;
}

function changesOf({ changes }: AuditBook): readonly AuditChange[] | undefined {
  try {
    const read: unknown = JSON.parse(changes);
    return Array.isArray(read) && read.every(isChange) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isChange(value: unknown): value is AuditChange {
  return typeof value === "object" && value !== null && "field" in value;
}
