import { oncePer } from "../../../contract/once-per.ts";
import { recordTables } from "../../tables/all.ts";
import type { Schema } from "../../tables/schema.ts";
import { institutions, serviceKeys, type TableShape } from "../../tables/index.ts";
import type { AuditedRows } from "./books.ts";

/**
 * Of service keys the entries are left out: they belong to the database and not to one institution, and the first ones
 * are made before there is any.
 */
export const uncomparedSubject = serviceKeys.audit?.subjectType;

/** By subject type, in the order of code points, as entries are read. */
export const auditedRows: (schema: Schema) => readonly AuditedRows[] = oncePer((schema) =>
  recordTables(schema)
    .flatMap((table) => rowsOf(table, schema))
    .toSorted((left, right) => (left.subjectType < right.subjectType ? -1 : 1)),
);

function rowsOf(table: TableShape, { migrations }: Schema): readonly AuditedRows[] {
  if (table.audit === undefined || table.audit.isOfService) return [];
  const { subjectType, subject, told, recordedOf } = table.audit;
  const named = (name: string) => table.columns.find((column) => column.name === name);
  const institution = table === institutions ? subject : named("institution_id");
  const owner = institution ?? named("user_name");
  if (owner === undefined) throw new Error(`rows of ${table.name} belong to no institution`);
  const formerNames = new Map(
    migrations.flatMap(({ renamed }) =>
      Object.entries(renamed?.[table.name] ?? {}).map(([former, now]) => [now, former] as const),
    ),
  );
  const isOfUser = institution === undefined;
  return [{ subjectType, table, subject, owner, isOfUser, told, formerNames, recordedOf }];
}
