import type { Duplex } from "node:stream";
import { type Connection, hangUp } from "./connections.ts";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isLoopback } from "../../contract/address.ts";

/** Pairs of a name and a value; a request with more is refused, not cut short. */
export const headersMax = 100;

/** Node takes the first of several; a proxy in front may take the last, and see another host, caller or kind of body. */
const singleHeaders: ReadonlySet<string> = new Set(["host", "authorization", "content-type"]);
/** The one expectation that there is. */
const goesOn = "100-continue";
const lengths: ReadonlySet<number> = new Set([...singleHeaders].map(({ length }) => length));

/**
 * The status that refuses a request for its head, after which the connection is closed. If two readers disagree about
 * the message, one may read as a request what the other reads as a body.
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

// Not imported: server.ts says why.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** An answer as it is sent, beside its length. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const clientFaults: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers an invalid or unfinished HTTP request while the connection is writable, and closes the connection. Requests
 * that came before it on the connection are answered before that.
 */
export function refuseInvalid(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connection: Connection | undefined,
): void {
  if (connection?.paused === true && error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    // The rest of the request is late because it is not being read.
    connection.overdue = true;
    return;
  }
  if (connection === undefined || error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseLast(connection, isOfOtherVersion(error) ? 505 : (clientFaults[error.code ?? ""] ?? 400));
}

/** A version that is written well, and that the parser does not know (RFC 9110, section 15.6.6). */
function isOfOtherVersion({ code, message }: NodeJS.ErrnoException): boolean {
  return code === "HPE_INVALID_VERSION" && message.endsWith("Invalid HTTP version");
}

/** Refuses to be a tunnel. */
export function refuseConnect(socket: Duplex, connection: Connection | undefined): void {
  if (connection === undefined) socket.destroy();
  else refuseLast(connection, 405);
}

/** Answers a connection that nothing was read of yet. It is destroyed as soon as that is sent: many such come at once. */
export function refuseUnread(
  { socket, requestsTotal, finished }: Connection,
  refused: () => ErrorResponse,
): void {
  if (requestsTotal > 0 || finished || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refused();
  const own = { "Content-Length": Buffer.byteLength(body), Connection: "close" };
  const lines = Object.entries({ ...own, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  socket.destroySoon();
}

/** Sent earlier, the status would be taken for the answer to a call that is at work. */
function refuseLast(connection: Connection, status: number): void {
  if (connection.finished) return;
  connection.finished = true;
  const { socket, last, beforeLast } = connection;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  // A request whose body is not whole is the invalid one itself.
  const valid = last?.request.complete === false ? beforeLast : last;
  if (valid === undefined || valid.response.closed) hangUp(socket, head);
  else valid.response.once("close", () => hangUp(socket, head));
}

/** Whether a request is for a name of the server, by its `Host` and, where it has one, by the address of its target. */
export type HostCheck = (request: Pick<IncomingMessage, "headers" | "url">) => boolean;

/** The name that stands for all. */
export const anyName = "*";

/**
 * The check of a server that listens on `host`. It takes its own address and `names`. If it listens on a loopback
 * address, it also takes `localhost` and loopback addresses; if on all, every address. A page of another name that
 * was made to lead here (DNS rebinding) is thereby told from the server's own. Ports and the case of letters count
 * for nothing.
 */
export function createHostCheck(host: string, names: readonly string[]): HostCheck {
  if (names.includes(anyName)) return () => true;
  const own = nameOf(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host) ?? host;
  const listensOnAll = own === "0.0.0.0" || own === "::";
  const isLocal = listensOnAll || own === "localhost" || isLoopback(own);
  const taken = new Set([own, ...names.map((name) => nameOf(name) ?? name)]);

  function takes(name: string | undefined): boolean {
    if (name === undefined) return false;
    if (taken.has(name)) return true;
    if (isIP(name) === 0) return isLocal && name === "localhost";
    return listensOnAll || (isLocal && isLoopback(name));
  }

  /** Nearly all requests of a server name the same host. */
  let known: string | undefined;
  return ({ headers: { host: value }, url = "" }) => {
    const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
    if (target !== undefined && !takes(nameOf(target))) return false;
    // HTTP/1.0 alone may say no host: Node refuses others. No browser speaks it.
    if (value === undefined || value === known) return true;
    if (!takes(nameOf(value))) return false;
    known = value;
    return true;
  };
}

/** What a request for another name is answered. */
export const misdirected = {
  status: 421,
  type: "text/plain; charset=utf-8",
  text: "This server takes no requests for this host name. Use localhost or its address, or add the name to its settings.\n",
} as const;

const checks = new WeakMap<object, HostCheck>();

/** Whether an upgrade that a server got is for another name. */
export function isMisdirected(server: object, request: IncomingMessage): boolean {
  return checks.get(server)?.(request) === false;
}

/** Remembers the check of a server, for upgrades. */
export function setHostCheck(server: object, check: HostCheck): void {
  checks.set(server, check);
}

/** The name or address of a `Host`: lower case, without port and final dot. Undefined for any other text. */
function nameOf(host: string): string | undefined {
  const [, name = ""] = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{0,5})?$/i.exec(host) ?? [];
  // Also the odd forms of addresses: 127.1, 0x7f000001, [0:0::1].
  const hostname = URL.parse(`http://${name.replace(/\.$/, "")}`)?.hostname;
  if (hostname === undefined || hostname === "") return undefined;
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 6 ? withoutMapping(address) : hostname;
}

/** An IPv4 address that is written as one of IPv6, as such: `::ffff:7f00:1` is 127.0.0.1. */
function withoutMapping(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].flatMap((group) => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 255,
  ]);
  return bytes.join(".");
}
