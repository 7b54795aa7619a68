import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const decoders: ReadonlyMap<string, Decode> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

/**
 * A body without its content encodings (RFC 9110, section 8.4.1). A request without `accept-encoding` takes any, so a
 * proxy may encode what a service sends. Unknown encodings leave the body as it is.
 *
 * @throws Error where the body is not in the encoding that it names, or is longer than `bytesMax` without it
 */
export function decodedBody(body: Buffer, contentEncoding: string | undefined, bytesMax: number): Buffer {
  const names = (contentEncoding ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.toReversed().reduce((encoded, name) => {
    const decode = decoders.get(name);
    return decode === undefined || encoded.length === 0
      ? encoded
      : decode(encoded, { maxOutputLength: bytesMax });
  }, body);
}
