export { StoreOpenError } from "./errors.ts";
export { migrate, openSqliteReader, openSqliteStore } from "./open.ts";
export type { HealthListener } from "./store.ts";
