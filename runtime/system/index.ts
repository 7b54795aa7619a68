export { systemClock } from "./clock.ts";
export { idSource, type RandomBytes } from "./ids.ts";
export { sealer, sealKeyBytes, sealKeyId } from "./sealer.ts";
export {
  makeKeyFile,
  readKeyFile,
  sealKeyFile,
  sealKeyOf,
  syncFolder,
  writeKeyFile,
} from "./seal-key-file.ts";
export { shareAtRisk } from "./risk-scorer.ts";
