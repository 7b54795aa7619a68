export { exactIntegers, readBigints } from "./bigints.ts";
export {
  createDecode,
  nullId,
  type DecodedCall,
  type DecodedMessage,
  type DecodeOptions,
  type InvalidCall,
  type MessageFault,
  type RawId,
} from "./decode.ts";
export { messageLimits, type MessageLimits } from "./limits.ts";
export { nameParams } from "./name-params.ts";
export {
  printBatch,
  printError,
  printNotification,
  printResult,
  printValue,
  type PrintedError,
} from "./print.ts";
