export { printResult } from "./print-result.ts";
export { describeError, encodeError, encodeResult, encodeSuccess } from "./encode.ts";
