export { auditedStore } from "./audited-store.ts";
export * as auditedTables from "./audited-tables.ts";
export type { AuditedTable } from "./audited-tables.ts";
export { recordedValues } from "./changes.ts";
export { auditedByAll, auditedBySystem, type SystemActor } from "./system-audit.ts";
