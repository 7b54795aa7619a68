export {
  createDecode,
  nullId,
  type DecodedCall,
  type DecodeOptions,
  type InvalidCall,
  type RawId,
} from "./decode.ts";
export { echoedName } from "./echoed-name.ts";
export { messageLimits, type MessageLimits } from "./limits.ts";
export { nameParams } from "./name-params.ts";
export { printBatch, printError, printNotification, printResult, printValue } from "./print.ts";
export { declaredValue, numberTexts, readExactNumbers } from "./values.ts";
