export { systemClock } from "./clock.ts";
export { idSource, type RandomBytes } from "./ids.ts";
export { sealer, sealKeyBytes } from "./sealer.ts";
