export { createDecode, type Decode } from "./decode.ts";
export type { Decoding } from "./options.ts";
export { foldName, isObject } from "./members.ts";
export { bodyBytesMax } from "./limits.ts";
