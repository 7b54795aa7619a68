export { systemClock } from "../../contract/times.ts";
export { idSource, plannedIds, type PlannedIds } from "./ids.ts";
export { sealer, sealKeyId } from "./sealer.ts";
export { makeKeyFile, readKeyFile, sealKeyFile, sealKeyOf, syncFolder, writeKeyFile } from "./sealer.ts";
