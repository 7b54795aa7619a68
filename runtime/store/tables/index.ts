export * from "./access.ts";
export { auditEntries, chainRoots, type StoredAuditRecord } from "./audit.ts";
export { knownToEntries, type AuditedFields, type Treatment } from "./audit-rule.ts";
export {
  amount,
  count,
  defaulting,
  flag,
  hashOf,
  holdingSealed,
  json,
  mapped,
  oneOf,
  optional,
  sealed,
  text,
  time,
  type Column,
  type ColumnType,
  type ColumnValue,
  type SealedPart,
} from "./column.ts";
export * from "./deliveries.ts";
export * from "./delivery-queries.ts";
export * from "./events.ts";
export * from "./proposals.ts";
export * from "./queries.ts";
export { backlogCountMax, countMax, partRead, queryOf, type QueryPage, type QueryValue } from "./query.ts";
export { recordTables, type Beside, type Lookup, type Schema } from "./schema.ts";
export type { Extension, SchemaStep } from "./steps.ts";
export {
  defineTable,
  type Changes,
  type Columns,
  type ColumnShape,
  type Condition,
  type FieldOf,
  type PartQuery,
  type Query,
  type QueryShape,
  type Table,
  type TableAudit,
  type TablePart,
  type TableShape,
} from "./table.ts";
