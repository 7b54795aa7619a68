import { auditedTables as audited, recordedValues, type AuditedTable } from "../../../audit/index.ts";
import * as tables from "../../tables/index.ts";
import type { ColumnShape, ColumnValue, FieldOf, Table, TableShape } from "../../tables/index.ts";

/** A table whose records have audit entries, beside accounts and transactions. */
export interface AuditedRows {
  readonly subjectType: string;
  readonly table: TableShape;
  /** The column that audit entries name a record by. */
  readonly subject: ColumnShape;
  /** The column of the institution; where rows have none, of the user that is in one. */
  readonly owner: ColumnShape;
  readonly isOfUser: boolean;
  /** The values that a row's audit entries should result in, field by field. Throws for values that are never written. */
  recordedOf(values: readonly ColumnValue[]): ReadonlyMap<string, string | undefined>;
}

/**
 * Of service keys the entries are left out: they belong to the database and not to one institution, and the first ones
 * are made before there is any.
 */
export const uncomparedSubject = audited.serviceKeys.subjectType;

/** By subject type, in the order of code points, as entries are read. */
export const auditedRows: readonly AuditedRows[] = [
  rowsOf(tables.beneficiaries, audited.beneficiaries, "id"),
  rowsOf(tables.categories, audited.categories, "id"),
  rowsOf(tables.apiKeys, audited.apiKeys, "id"),
  rowsOf(tables.customers, audited.customers, "id"),
  rowsOf(tables.institutions, audited.institutions, "id"),
  rowsOf(tables.deviceKeys, audited.deviceKeys, "keyId"),
  rowsOf(tables.legalReps, audited.legalReps, "id"),
  rowsOf(tables.portalLogins, audited.portalLogins, "legalRepId"),
  // A token is kept as its digest, by which its entries name it.
  rowsOf(tables.registrations, audited.registrations, "otpToken"),
  rowsOf(tables.shareHolders, audited.shareHolders, "id"),
  rowsOf(tables.sources, audited.sources, "id"),
  rowsOf(tables.subscriptions, audited.subscriptions, "id"),
  rowsOf(tables.users, audited.users, "userName"),
].toSorted((left, right) => (left.subjectType < right.subjectType ? -1 : 1));

function rowsOf<R extends object>(
  table: Table<R>,
  auditedTable: AuditedTable<R>,
  subject: FieldOf<R>,
): AuditedRows {
  const named = (name: string) => table.columns.find((column) => column.name === name);
  const isInstitutions = auditedTable.subjectType === audited.institutions.subjectType;
  const institution = isInstitutions ? table.columnOf(subject) : named("institution_id");
  const owner = institution ?? named("user_name");
  if (owner === undefined) throw new Error(`rows of ${table.name} belong to no institution`);
  return {
    subjectType: auditedTable.subjectType,
    table,
    subject: table.columnOf(subject),
    owner,
    isOfUser: institution === undefined,
    recordedOf: (values) => recordedValues(auditedTable, table.decode(values)),
  };
}
