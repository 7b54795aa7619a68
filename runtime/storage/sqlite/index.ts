export { StoreOpenError } from "./errors.ts";
export { verifySqliteFile } from "./verify.ts";
export { migrate, openSqliteReader, openSqliteStore } from "./open.ts";
export type { HealthListener } from "./store.ts";
