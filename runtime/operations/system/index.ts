export { systemClock } from "../../contract/times.ts";
export { idSource, plannedIds, type PlannedIds, type RandomBytes } from "./ids.ts";
export { sealer, sealKeyBytes, sealKeyId } from "./sealer.ts";
export { makeKeyFile, readKeyFile, sealKeyFile, sealKeyOf, syncFolder, writeKeyFile } from "./sealer.ts";
