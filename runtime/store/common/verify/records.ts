import { messageOf } from "../../../contract/index.ts";
import { compareCodePoints } from "../code-points.ts";
import { followAuditChain, recordOf, type AuditState } from "./chains.ts";
import { type Schema, recordTables } from "../../tables/schema.ts";
import { stepsOf } from "../../tables/steps.ts";
import { type AuditBook, type AuditedRows, type Books, cursorOver, type Cursor } from "./books.ts";
import type { Findings } from "./rules.ts";
import { oncePer } from "../../../contract/values.ts";
import { institutions, serviceKeys, type TableShape } from "../../tables/index.ts";

/**
 * Every record of an institution whose subjects no rule of the application follows, against its audit entries: users, credentials,
 * keys, subscriptions and the rest. What entries hide cannot be compared: personal data and secrets (docs/verify.md).
 * Gives how many entries there are.
 */
export function verifyRecords(
  schema: Schema,
  books: Books,
  institutionId: string,
  findings: Findings,
): number {
  const elsewhere = schema.verify?.subjects ?? [];
  const all = auditedRows(schema);
  const chains = cursorOver(books.audit(institutionId, { except: elsewhere }), ({ subjectType, subjectId }) =>
    keyOf(subjectType, subjectId),
  );
  let entries = 0;
  for (const rows of all) {
    findings.during(rows.table.name, () => {
      for (const values of books.records(institutionId, rows)) {
        const id = String(values[rows.subject.index]);
        const key = keyOf(rows.subjectType, id);
        entries += verifyGone(all, chains, key, findings);
        const state = followAuditChain(chains.at(key), findings);
        entries += state.entries;
        const record = `${rows.subjectType} ${id}`;
        for (const what of differences(rows, values, state)) {
          findings.add({ kind: "record", table: rows.table.name, record, what });
        }
      }
    });
  }
  return entries + verifyGone(all, chains, undefined, findings);
}

/** Subjects before a key have no record: their entries end with its removal. Gives how many entries there are. */
function verifyGone(
  all: readonly AuditedRows[],
  chains: Cursor<AuditBook>,
  key: string | undefined,
  findings: Findings,
): number {
  let entries = 0;
  for (let next = chains.next(); next !== undefined; next = chains.next()) {
    if (key !== undefined && compareCodePoints(next, key) >= 0) break;
    let last: AuditBook | undefined;
    const state = followAuditChain(
      noting(chains.at(next), (entry) => (last = entry)),
      findings,
    );
    entries += state.entries;
    if (last === undefined || last.subjectType === uncomparedSubject) continue;
    const { subjectType } = last;
    const rows = all.find((each) => each.subjectType === subjectType);
    const { told = [...state.values.keys()], table } = rows ?? {};
    if (told.every((field) => state.values.get(field) === undefined)) continue;
    const what = `there is no ${last.subjectType} ${last.subjectId}: it was deleted, or its identifier changed`;
    findings.add({ kind: "record", table: table?.name ?? "audit_entries", record: recordOf(last), what });
  }
  return entries;
}

function* noting(entries: Iterable<AuditBook>, onEntry: (entry: AuditBook) => void): Generator<AuditBook> {
  for (const entry of entries) {
    onEntry(entry);
    yield entry;
  }
}

function* differences(
  rows: AuditedRows,
  row: Parameters<AuditedRows["recordedOf"]>[0],
  { entries, values }: AuditState,
): Generator<string> {
  if (entries === 0) {
    yield "no audit entry says that it was added: it was added behind the service, or its entries were removed";
    return;
  }
  let recorded: ReturnType<AuditedRows["recordedOf"]>;
  try {
    recorded = rows.recordedOf(row);
  } catch (error) {
    yield `cannot be read: ${messageOf(error)}`;
    return;
  }
  for (const [field, value] of recorded) {
    const name = values.has(field) ? field : (rows.formerNames.get(field) ?? field);
    const before = values.get(name);
    // A row that is older than the column has its standard value.
    const isDefault = !values.has(name) && value === rows.standards.get(field);
    if (value !== before && !isDefault)
      yield `${field} is ${shown(value)}, the audit entries say ${shown(before)}`;
  }
}

function shown(value: string | undefined): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}

/** No text that is kept has U+0000: keys are in the order of types, then of identifiers. */
function keyOf(subjectType: string, subjectId: string): string {
  return `${subjectType}\0${subjectId}`;
}

/**
 * Entries of service keys are left out. They belong to the database and not to one institution, and the first ones
 * exist before any institution.
 */
const uncomparedSubject = serviceKeys.audit?.subjectType;

/** By subject type, in the order of code points, as entries are read. */
const auditedRows: (schema: Schema) => readonly AuditedRows[] = oncePer((schema) =>
  recordTables(schema)
    .flatMap((table) => rowsOf(table, schema))
    .toSorted((left, right) => (left.subjectType < right.subjectType ? -1 : 1)),
);

function rowsOf(table: TableShape, schema: Schema): readonly AuditedRows[] {
  if (table.audit === undefined || table.audit.isOfService) return [];
  const { subjectType, subject, told, standards, recordedOf } = table.audit;
  const named = (name: string) => table.columns.find((column) => column.name === name);
  const institution = table === institutions ? subject : named("institution_id");
  const owner = institution ?? named("user_name");
  if (owner === undefined) throw new Error(`rows of ${table.name} belong to no institution`);
  const formerNames = new Map(
    stepsOf(schema).flatMap(({ renamed }) =>
      Object.entries(renamed?.[table.name] ?? {}).map(([former, now]) => [now, former] as const),
    ),
  );
  const isOfUser = institution === undefined;
  return [{ subjectType, table, subject, owner, isOfUser, told, formerNames, standards, recordedOf }];
}
