import { omitUndefined, type RpcError, type RpcErrorDetail } from "../../../runtime/contract/index.ts";
import type { AuditQuery, AuditRecord, AuditSubject, ReadContext } from "../../../runtime/ports/index.ts";
import { systemActor } from "../presenters/audit-entry.ts";
import { timeRange } from "./subscriptions/deliveries-page.ts";
import { numberOf, numberToken, standardPageSize } from "./page-token.ts";

type Context = Pick<ReadContext, "store" | "caller"> & {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/after">): RpcError;
};

/** The filters of the audit log. */
export interface AuditAsked {
  readonly subject?: AuditSubject;
  readonly subjectId?: string;
  readonly actor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly order?: "NEWEST" | "OLDEST";
  readonly pageSize?: number;
  readonly after?: string;
}

/** Entries that one call looks at, whether they fit or not: a call is never long. Some hold the 1,000 accounts of a subscription. */
const lookedAtMax = 500;

/**
 * By how much an entry may be older than the one before it: each has the time of the process that made the change, and
 * transactions take their time.
 */
const outOfOrderMaxMs = 300_000;

/** A page of the audit log. The next one goes on where this one stopped looking. */
export async function auditPage(
  context: Context,
  asked: AuditAsked,
): Promise<{ readonly entries: readonly AuditRecord[]; readonly next: string | undefined }> {
  const { store, caller } = context;
  const { subject: type, subjectId: id, order = "NEWEST", pageSize = standardPageSize } = asked;
  const query: AuditQuery = omitUndefined({
    institutionId: caller.institutionId,
    subject: type === undefined || id === undefined ? undefined : { type, id },
    ...placeAfter(context, asked.after, order),
    limit: isFoundByQuery(asked) ? pageSize + 1 : lookedAtMax,
  });
  const { from = -Infinity, to = Infinity } = timeRange(asked);
  const found = await store.audit.list(query);
  const entries: AuditRecord[] = [];
  let last: AuditRecord | undefined;
  for (const entry of found) {
    if (entries.length === pageSize) return { entries, next: tokenOf(last) };
    last = entry;
    const pastMs = order === "NEWEST" ? from - entry.changedAt : entry.changedAt - to;
    // Entries are nearly in the order of time: what follows is farther away still.
    if (pastMs > outOfOrderMaxMs) return { entries, next: undefined };
    if (entry.changedAt >= from && entry.changedAt < to && isAskedFor(entry, asked)) entries.push(entry);
  }
  return { entries, next: found.length === query.limit ? tokenOf(last) : undefined };
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

function placeAfter(
  context: Context,
  token: string | undefined,
  order: "NEWEST" | "OLDEST",
): Pick<AuditQuery, "before" | "after"> {
  if (token === undefined) return order === "NEWEST" ? {} : { after: 0 };
  const place = numberOf(context, token);
  return order === "NEWEST" ? { before: place } : { after: place };
}

function tokenOf(entry: AuditRecord | undefined): string | undefined {
  return entry && numberToken(entry.number);
}
