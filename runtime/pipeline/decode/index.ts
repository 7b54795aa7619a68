export { createDecode, type Decode, type Decoding, foldName, isObject, bodyBytesMax } from "./decode.ts";
