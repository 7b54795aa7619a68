export { bodyBytesMax } from "./decode.ts";
export { printResult } from "./encode.ts";
export { signedEnvelopes, type EnvelopeRules } from "./protocol.ts";
export { payloadReader, type PayloadRead } from "./read-text.ts";
export { missingFields, readByShape, unknownFields } from "./validate.ts";
