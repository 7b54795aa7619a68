import type { IncomingMessage, ServerResponse } from "node:http";
import { omitUndefined } from "../../contract/index.ts";
import type { RawResponse } from "../../service/signed/index.ts";

interface ResponseFrame {
  readonly requestId: string;
  readonly revision: string;
  /** Whether the connection is closed after it. */
  readonly closing: boolean;
}

/** Writes a response in one piece. Gives the bytes of its body. */
export function sendResponse(response: ServerResponse, raw: RawResponse, frame: ResponseFrame): number {
  const { status, body, headers } = raw;
  const bytes = Buffer.byteLength(body);
  response.writeHead(
    status,
    omitUndefined({
      "Content-Type": jsonType,
      "Content-Length": bytes,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Interface-Revision": frame.revision,
      "X-Request-Id": frame.requestId,
      Connection: frame.closing ? "close" : undefined,
      ...headers,
    }),
  );
  response.end(body);
  return bytes;
}

/** The `Content-Type` of every answer in JSON. */
export const jsonType = "application/json; charset=utf-8";

const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?;?$/i;
/** None that announces JSON is longer, by far. */
const charactersMax = 256;

/** Whether a `Content-Type` announces JSON; the charset may only be UTF-8 (RFC 8259 §8.1). */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return contentType !== undefined && contentType.length <= charactersMax && json.test(contentType.trim());
}

const sane = /^[A-Za-z0-9._:-]{1,64}$/;

/** The caller's `X-Request-Id`, if it is one that can stand in a log line; else a new one. */
export function requestIdFrom(request: IncomingMessage, create: () => string): string {
  const sent = headerOf(request, "x-request-id");
  return sent !== undefined && sane.test(sent) ? sent : create();
}

/** The value of a header by its lower-case name; the values of a repeated header joined by `, `. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** A request as far as its headers go. */
export function withHeaders(request: IncomingMessage): { header(name: string): string | undefined } {
  return { header: (name) => headerOf(request, name) };
}

/** The absolute form that proxies send has a host (RFC 9112 §3.2.2); Express takes a first path segment for one. */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]+/i;

/** Why a request target has no path: Express itself would answer with a page of its own, or read another path. */
export function unreadableTarget(url = ""): "url" | "path" | undefined {
  if (url.startsWith("/") || url === "*") return undefined;
  if (!URL.canParse(url)) return "url";
  return absoluteForm.test(url) ? undefined : "path";
}

/** The path of a readable request target, as it was sent: in origin form, or in the absolute form of proxies. */
export function pathOf(url = ""): string {
  const target = url.startsWith("/") ? url : url.replace(absoluteForm, "");
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return path === "" ? "/" : path;
}
