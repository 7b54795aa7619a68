export { describeError, encodeError, encodeResult, encodeSuccess } from "./encode.ts";
