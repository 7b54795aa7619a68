import type { IncomingMessage } from "node:http";

/** Pairs of a name and a value; a request with more is refused, not cut short. */
export const headersMax = 100;

/** Node takes the first of several; a proxy in front may take the last, and see another host, caller or kind of body. */
const singleHeaders: ReadonlySet<string> = new Set(["host", "authorization", "content-type"]);
/** The one expectation that there is. */
const goesOn = "100-continue";
const lengths: ReadonlySet<number> = new Set([...singleHeaders].map(({ length }) => length));

/**
 * The status that refuses a request for what its head says of the message itself, after which the connection is closed:
 * where two readers may disagree, what follows could be a request to one of them and a body to the other.
 */
export function refusedHead(request: IncomingMessage): 400 | 417 | 431 | 501 | 505 | undefined {
  const { rawHeaders, headers, httpVersionMajor, httpVersionMinor } = request;
  if (rawHeaders.length > 2 * headersMax) return 431;
  if (httpVersionMajor !== 1) return 505;
  const coding = headers["transfer-encoding"];
  if (coding !== undefined) {
    // RFC 9112 §6.1: HTTP/1.0 has no codings; a server refuses those that it does not know.
    const [last = "", ...others] = coding.toLowerCase().split(",").toReversed();
    if (httpVersionMinor === 0 || last.trim() !== "chunked") return 400;
    if (others.length > 0) return 501;
  }
  if (repeatsHeader(rawHeaders)) return 400;
  // RFC 9110 §10.1.1: HTTP/1.0 has no expectations.
  const { expect = goesOn } = headers;
  return httpVersionMinor > 0 && expect.toLowerCase() !== goesOn ? 417 : undefined;
}

function repeatsHeader(rawHeaders: readonly string[]): boolean {
  let seen = "";
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (!lengths.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (!singleHeaders.has(lower)) continue;
    if (seen.includes(`${lower};`)) return true;
    seen += `${lower};`;
  }
  return false;
}
