import type { IncomingMessage } from "node:http";

const sane = /^[A-Za-z0-9._:-]{1,64}$/;

/** The caller's `X-Request-Id`, if it is one that can stand in a log line; else a new one. */
export function requestIdFrom(request: IncomingMessage, create: () => string): string {
  const sent = headerOf(request, "x-request-id");
  return sent !== undefined && sane.test(sent) ? sent : create();
}

/** The value of a header by its lower-case name; the values of a repeated header joined by `, `. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** A request as far as its headers go. */
export function withHeaders(request: IncomingMessage): { header(name: string): string | undefined } {
  return { header: (name) => headerOf(request, name) };
}
