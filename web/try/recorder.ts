import { textOf } from "../shared/json.ts";
import type { Answered } from "./tried.ts";

/** A request as it was sent. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A `fetch` for a client, with the request that it was asked for and the answer that it gave. */
export interface Recorder {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  sent(): SentRequest | undefined;
  answered(): Answered | undefined;
}

/** In place of a client's `fetch`: notes the request, and sends it only where it is to be sent. */
export function createRecorder(isSent: boolean): Recorder {
  let sent: SentRequest | undefined;
  let answered: Answered | undefined;
  return {
    sent: () => sent,
    answered: () => answered,
    async fetch(url, init) {
      sent = { url, headers: Object.fromEntries(new Headers(init.headers)), body: bodyOf(init.body) };
      if (!isSent) throw new Error("the request was only shown");
      const startedAt = performance.now();
      const response = await fetch(url, init);
      const text = await response.text();
      const aheadSeconds = (Date.now() - Date.parse(response.headers.get("date") ?? "")) / 1_000;
      answered = { status: response.status, text, milliseconds: performance.now() - startedAt, aheadSeconds };
      const isEmpty = response.status === 204;
      return new Response(isEmpty ? null : text, { status: response.status, headers: response.headers });
    },
  };
}

function bodyOf(body: RequestInit["body"]): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : textOf(body);
}
