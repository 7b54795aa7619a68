import { omitUndefined, type RpcError, type RpcErrorDetail } from "../../contract/index.ts";
import { parseTimestamp, timestampText } from "../../contract/times.ts";
import type { PageCursor } from "../../store/ports/index.ts";

/** The failures that a handler declares, and the fields that they name. */
export interface Failing<Code extends string, FieldPointer extends string = never> {
  error(code: Code, detail?: RpcErrorDetail<FieldPointer>): RpcError;
}

/** The error of a token that no page gave. */
export interface PageErrors {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/after">): RpcError;
}

/** Items a page where the caller does not say. */
export const standardPageSize = 50;

/** Where a page ended, as an opaque text. */
export function pageToken({ createdAt, id }: PageCursor): string {
  return Buffer.from(`${createdAt} ${id}`).toString("base64url");
}

/** Where the page before ended, by the token it gave. */
export function placeOf(context: PageErrors, token: string | undefined): PageCursor | undefined {
  if (token === undefined) return undefined;
  const [, createdAt = "", id = ""] = /^([0-9]{1,15}) (\S+)$/.exec(textOf(token)) ?? [];
  if (id === "") throw noPageToken(context);
  return { createdAt: Number(createdAt), id };
}

/** An identifier at which a page ended, as an opaque text. */
export function idToken(id: string): string {
  return Buffer.from(id).toString("base64url");
}

/** The identifier at which the page before ended, by the token it gave. */
export function idOf(context: PageErrors, token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  const id = textOf(token);
  if (id === "" || idToken(id) !== token) throw noPageToken(context);
  return id;
}

/**
 * The number at which a page ended, as an opaque text. The sign tells it from the tokens of earlier releases. Their
 * numbers were others, and a list continued with them would leave entries out.
 */
export function numberToken(number: number): string {
  return idToken(`n${number}`);
}

/** The number at which the page before ended, by the token it gave. */
export function numberOf(context: PageErrors, token: string): number {
  const [, digits] = /^n([0-9]{1,15})$/.exec(textOf(token)) ?? [];
  if (digits === undefined) throw noPageToken(context);
  return Number(digits);
}

/** A page of `size` items out of one more than that, and the token of the next if there is one. */
export function pageOf<R>(
  found: readonly R[],
  size: number,
  tokenOf: (last: R) => string,
): { readonly items: readonly R[]; readonly next: string | undefined } {
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, next: found.length > size && last !== undefined ? tokenOf(last) : undefined };
}

function textOf(token: string): string {
  return Buffer.from(token, "base64url").toString();
}

function noPageToken(context: PageErrors): RpcError {
  return context.error("BAD_INPUT", { field: "/after", reason: "page-token" });
}

/** Times of a range in milliseconds. Their format was checked before. */
export function timeRange({ from, to }: { readonly from?: string; readonly to?: string }): {
  readonly from?: number;
  readonly to?: number;
} {
  return omitUndefined({
    from: from === undefined ? undefined : parseTimestamp(from),
    to: to === undefined ? undefined : parseTimestamp(to),
  });
}

/** A time as it is sent, where there is one. */
export function optionalTimestamp(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : timestampText(timeMs);
}
