export { backUp, restore, unfinishedBackups, type BackedUp, type Restored } from "./backup.ts";
export { explainedReasonOf } from "./errors.ts";
export { verifySqliteFile } from "./verify.ts";
export { migrate, openSqliteReader, openSqliteStore, rotateSealKeyOf, sealKeysOf } from "./open.ts";
export type { Rotation } from "../common/sealed-places.ts";
