export { auditedStore } from "./audited-store.ts";
export { appendAudit, readAuditAfter, readAudit } from "./entries.ts";
export { auditedByAll, auditedBySystem, type SystemActor } from "./system-audit.ts";
