export { sqliteAdapter } from "./adapter.ts";
export { backUp } from "./backup.ts";
export { verifySqliteFile } from "./verify/verify.ts";
export { migrate, openSqliteReader, openSqliteStore, rotateSealKeyOf } from "./open.ts";
