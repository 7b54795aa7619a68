export { StoreOpenError } from "./errors.ts";
export { migrate, openSqliteReader, openSqliteStore } from "./open.ts";
