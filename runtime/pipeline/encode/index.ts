export { printResult, describeError, encodeError, encodeResult, encodeSuccess } from "./encode.ts";
