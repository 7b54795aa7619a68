export { backUp, restore, type BackedUp, type Restored } from "./backup.ts";
export { StoreOpenError } from "./errors.ts";
export { verifySqliteFile } from "./verify.ts";
export { migrate, openSqliteReader, openSqliteStore, rotateSealKeyOf, sealKeysOf } from "./open.ts";
export type { HealthListener } from "./store.ts";
export type { KnownSealKeys, Rotation, SealerSource } from "./seal-keys.ts";
