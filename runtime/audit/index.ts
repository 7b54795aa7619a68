export { auditedStore } from "./audited-store.ts";
export { auditedBySystem, type SystemActor } from "./system-audit.ts";
