import { omitUndefined } from "../../contract/index.ts";
import { timestampText } from "../../contract/times.ts";
import type { ReadContext } from "../../pipeline/handler-context.ts";
import { positionBelow, readAudit } from "../../store/audit/index.ts";
import type { AuditQuery, AuditRecord } from "../../store/ports/index.ts";
import {
  numberOf,
  numberToken,
  standardPageSize,
  timeRange,
  type Failing,
  type PageErrors,
} from "./pages.ts";

type Context = Pick<ReadContext, "store" | "caller"> & PageErrors;

/** The actor of changes that the service itself made. */
const systemActor = "system";

/** The filters of the audit log. */
export interface AuditAsked {
  readonly subject?: string;
  readonly subjectId?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly order?: "NEWEST" | "OLDEST";
  readonly pageSize?: number;
  readonly after?: string;
}

/** Entries that one call looks at, whether they fit or not: a call is never long. */
const lookedAtMax = 500;
/** The same in characters: some hold the 1,000 topics of a subscription, or all that a source offers. */
const charactersMax = 1_000_000;
/** Entries that are read at once, before it is known what they hold: a standard page, and whether another one follows. */
const readAtOnce = standardPageSize + 1;

/**
 * By how much an entry may be older than the one before it. Each has the time of the process that made the change,
 * and transactions take their time.
 */
const outOfOrderMaxMs = 300_000;

/** A page of the audit log. Operators bound to groups may not read it: entries tell of all groups. */
export async function listAudit(asked: AuditAsked, context: Context & Failing<"UNAUTHORIZED">) {
  if (context.caller.groups !== undefined)
    throw context.error("UNAUTHORIZED", { reason: "limited-to-groups" });
  const { entries, next } = await auditPage(context, asked);
  return { entries: entries.map(auditEntryOf), ...omitUndefined({ next }) };
}

/** An entry of the audit log as operators see it. */
function auditEntryOf(entry: AuditRecord) {
  return {
    sequence: entry.number,
    subject: entry.subjectType,
    subjectId: entry.subjectId,
    operation: entry.operation,
    actor: entry.userName ?? systemActor,
    ...omitUndefined({ keyId: entry.keyId }),
    changedDate: timestampText(entry.changedAt),
    changes: entry.changes,
    hash: entry.hash,
  };
}

/** A page of the audit log. The next one goes on where this one stopped looking. */
export async function auditPage(
  context: Context,
  asked: AuditAsked,
): Promise<{ readonly entries: readonly AuditRecord[]; readonly next: string | undefined }> {
  const { store, caller } = context;
  const { subject: type, subjectId: id, order = "NEWEST", pageSize = standardPageSize } = asked;
  const subject = type === undefined || id === undefined ? undefined : { type, id };
  const lookedAt = isFoundByQuery(asked) ? pageSize + 1 : lookedAtMax;
  const { from = -Infinity, to = Infinity } = timeRange(asked);
  const entries: AuditRecord[] = [];
  let place = await placeAfter(context, asked.after, order, subject);
  let last: AuditRecord | undefined;
  let characters = 0;
  for (let looked = 0; looked < lookedAt && characters < charactersMax;) {
    const limit = Math.min(readAtOnce, lookedAt - looked);
    const found = await readAudit(
      store,
      omitUndefined({ institutionId: caller.institutionId, subject, ...place, limit }),
    );
    looked += found.length;
    for (const entry of found) {
      if (entries.length === pageSize) return { entries, next: tokenOf(last) };
      last = entry;
      characters += sizeOf(entry);
      const pastMs = order === "NEWEST" ? from - entry.changedAt : entry.changedAt - to;
      // Entries are nearly in the order of time: what follows is farther away still.
      if (pastMs > outOfOrderMaxMs) return { entries, next: undefined };
      if (entry.changedAt >= from && entry.changedAt < to && isAskedFor(entry, asked)) entries.push(entry);
    }
    if (found.length < limit || last === undefined) return { entries, next: undefined };
    const at = subject === undefined ? last.number : last.position;
    place = order === "NEWEST" ? { before: at } : { after: at };
  }
  return { entries, next: tokenOf(last) };
}

function sizeOf({ changes }: AuditRecord): number {
  return changes.reduce((sum, { from = "", to = "" }) => sum + from.length + to.length, 0);
}

/** Whether the store selects by all that is asked for: it knows no times, no users, and a subject only as a whole. */
function isFoundByQuery({ subject, subjectId, actor, from, to }: AuditAsked): boolean {
  return (subject === undefined) === (subjectId === undefined) && (actor ?? from ?? to) === undefined;
}

function isAskedFor(entry: AuditRecord, { subject, subjectId, actor }: AuditAsked): boolean {
  return (
    (subject ?? entry.subjectType) === entry.subjectType &&
    (subjectId ?? entry.subjectId) === entry.subjectId &&
    (actor === undefined || actor === (entry.userName ?? systemActor))
  );
}

/** Where a page begins: at a number, or at the position of a subject's entry. */
async function placeAfter(
  context: Context,
  token: string | undefined,
  order: "NEWEST" | "OLDEST",
  subject: AuditQuery["subject"],
): Promise<Pick<AuditQuery, "before" | "after">> {
  if (token === undefined) return order === "NEWEST" ? {} : { after: 0 };
  const number = numberOf(context, token);
  if (subject === undefined) return order === "NEWEST" ? { before: number } : { after: number };
  const { institutionId } = context.caller;
  const below = (limit: number) => positionBelow(context.store, { institutionId, ...subject }, limit);
  return order === "NEWEST" ? { before: (await below(number)) + 1 } : { after: await below(number + 1) };
}

function tokenOf(entry: AuditRecord | undefined): string | undefined {
  return entry && numberToken(entry.number);
}
