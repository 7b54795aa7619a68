export { bodyBytesMax } from "./decode.ts";
export { printResult, signedEnvelopes, type EnvelopeRules } from "./protocol.ts";
export { payloadReader, type PayloadRead } from "./read-text.ts";
export { missingFields, readByShape, unknownFields } from "./payload.ts";
