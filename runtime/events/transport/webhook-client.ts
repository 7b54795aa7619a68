import type { Dispatcher } from "undici";
import { messageOf, omitUndefined } from "../../contract/index.ts";
import { isTlsError, networkWord } from "../../platform/network-words.ts";
import type { Clock } from "../../store/ports/index.ts";
import type { AttemptFailure, AttemptOutcome } from "../model/attempt-outcome.ts";
import type { ConnectionPools } from "./connection-pools.ts";
import { parseRetryAfter } from "../model/retry-schedule.ts";

// Not imported: an import would load Node's `fetch` too.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

export interface WebhookRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  /** Name, value, name, value… */
  readonly headers: string[];
  readonly body: Buffer;
}

export interface WebhookClientOptions {
  readonly pools: ConnectionPools;
  readonly clock: Clock;
  /** Limit of the whole exchange, from resolving the name to the last byte of the response. */
  readonly timeoutMs: number;
}

/** Bytes of a response that are read before the connection is closed, and that are kept. */
const responseBytesRead = 64 * 1024;
const responseBytesKept = 4 * 1024;
const detailCharactersMax = 500;

/** A receiver that sends informational answers (103) without an end would keep the service busy until the time is over. */
const informationalMax = 16;
const tooManyInformational: Failure = {
  failure: "response",
  detail: `more than ${informationalMax} informational answers`,
};

export interface WebhookClient {
  /** Posts a body. Never rejects, never follows a redirect; ends after `timeoutMs` at the latest. */
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Ends what is in flight, and every later request, as `shutdown`. */
  cancelAll(): void;
}

export function createWebhookClient({ pools, clock, timeoutMs }: WebhookClientOptions): WebhookClient {
  const late: Failure = { failure: "timeout", detail: `no complete answer within ${timeoutMs} ms` };
  const timeouts = createTimeoutGroups(clock, timeoutMs, late);
  let isCancelled = false;

  function send({ origin, path, headers, body }: WebhookRequest): Promise<AttemptOutcome> {
    return new Promise((resolve) => {
      const startedAt = clock.now();
      const startedMs = clock.elapsedMs();
      const response: ReceivedResponse = { informational: 0, chunks: [], bytes: 0, truncated: false };
      let controller: Dispatcher.DispatchController | undefined;
      let isOver = false;

      const end = (failure?: Failure): void => {
        if (isOver) return;
        isOver = true;
        stopTimeout();
        const took = { startedAt, durationMs: Math.round(clock.elapsedMs() - startedMs) };
        resolve({ ...took, ...outcomeOf(response, failure, clock.now()) });
      };
      const abort = (failure?: Failure): void => {
        end(failure);
        controller?.abort(new Error("aborted"));
      };
      const stopTimeout = timeouts.start(startedAt, abort);
      if (isCancelled) return abort({ failure: "shutdown" });
      const request = { path, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 } as const;
      try {
        pools.of(origin).dispatch(request, {
          onRequestStart(started) {
            controller = started;
            if (isOver) started.abort(new Error("aborted"));
          },
          onResponseStart(_controller, status, received) {
            note(response, status, received["retry-after"]);
            if (response.informational > informationalMax) abort(tooManyInformational);
          },
          onResponseData(_controller, chunk) {
            keep(response, chunk);
            // The status decides: the rest of an endless body is not read.
            if (response.bytes >= responseBytesRead) abort();
          },
          onResponseEnd: () => end(),
          onResponseError: (_controller, error) => end(failureOfError(error)),
        });
      } catch (error) {
        end({ failure: "unsendable", cause: detailOf(error) });
      }
    });
  }

  return {
    send,
    cancelAll() {
      isCancelled = true;
      timeouts.endAll({ failure: "shutdown" });
    },
  };
}

interface ReceivedResponse {
  /** Answers below 200, which come before the real one. */
  informational: number;
  status?: number;
  retryAfter?: string | undefined;
  chunks: Buffer[];
  /** Bytes of the body so far, kept or not. */
  bytes: number;
  truncated: boolean;
}

interface Failure {
  readonly failure: AttemptFailure;
  readonly detail?: string;
  readonly cause?: string;
}

function note(response: ReceivedResponse, status: number, retryAfter: string | string[] | undefined): void {
  if (status < 200) {
    response.informational += 1;
    return;
  }
  response.status = status;
  response.retryAfter = firstOf(retryAfter);
}

function keep(response: ReceivedResponse, chunk: Buffer): void {
  const room = responseBytesKept - response.bytes;
  // A copy: the chunk is a part of a larger buffer that would otherwise live as long.
  if (room > 0) response.chunks.push(Buffer.from(chunk.subarray(0, room)));
  if (chunk.length > room) response.truncated = true;
  response.bytes += chunk.length;
}

function outcomeOf(
  { status, retryAfter, chunks, truncated }: ReceivedResponse,
  failure: Failure | undefined,
  endedAt: number,
): Omit<AttemptOutcome, "startedAt" | "durationMs"> {
  const outcome =
    failure ?? (status === undefined ? { failure: "response" as const } : failureOfStatus(status));
  const retryAfterMs = outcome === undefined ? undefined : parseRetryAfter(retryAfter, endedAt);
  return {
    ...outcome,
    ...omitUndefined({
      status,
      response: chunks.length === 0 ? undefined : textOf(Buffer.concat(chunks)),
      retryAfterMs,
    }),
    responseTruncated: truncated,
  };
}

function failureOfStatus(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const detail = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  if (status === 410) return { failure: "gone", detail };
  return { failure: status >= 300 && status < 400 ? "redirect" : "status", detail };
}

/** Decodes a body into text that every store can hold. A character cut in two at the end is left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder("utf-8").decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD").toWellFormed();
}

const nameCodes: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "ENODATA",
  "EAI_AGAIN",
  "ESERVFAIL",
  "ETIMEOUT",
  "ENONAME",
  "EBADNAME",
]);
const connectCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "EMFILE",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function failureOfError(error: Error): Failure {
  const code = codeOf(error);
  if (code === "refused-address") return { failure: "refused-address", detail: detailOf(error) };
  const isNoHttp = code.startsWith("HPE_") && code !== "HPE_HEADER_OVERFLOW";
  const told = { detail: isNoHttp ? "no-http" : networkWord(error), cause: detailOf(error) };
  if (nameCodes.has(code)) return { failure: "name", ...told };
  if (connectCodes.has(code)) return { failure: "connect", ...told };
  if (isTlsError(error)) return { failure: "tls", ...told };
  if (
    code.startsWith("HPE_") ||
    code.startsWith("UND_ERR_HEADERS") ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return { failure: "response", ...told };
  return { failure: "connection", ...told };
}

function detailOf(error: unknown): string {
  return messageOf(error).slice(0, detailCharactersMax);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Time limits that share timers. */
interface TimeoutGroups<Reason> {
  /** Calls `end` after the time limit. Returns the function that lifts the limit. */
  start(nowMs: number, end: (reason: Reason) => void): () => void;
  /** Calls every `end` now. */
  endAll(reason: Reason): void;
}

/** Limits that begin in the same millisecond share one timer: a flood of attempts would need too many. */
interface Group<Reason> {
  readonly beganAtMs: number;
  readonly ends: Set<(reason: Reason) => void>;
  cancel(): void;
}

function createTimeoutGroups<Reason>(clock: Clock, timeoutMs: number, late: Reason): TimeoutGroups<Reason> {
  const groups = new Set<Group<Reason>>();
  let latest: Group<Reason> | undefined;

  function newGroup(beganAtMs: number): Group<Reason> {
    const ends = new Set<(reason: Reason) => void>();
    const cancel = clock.schedule(timeoutMs, () => endGroup(ends, late));
    const group = { beganAtMs, ends, cancel };
    groups.add(group);
    return group;
  }

  return {
    start(nowMs, end) {
      const group = latest?.beganAtMs === nowMs && groups.has(latest) ? latest : newGroup(nowMs);
      latest = group;
      group.ends.add(end);
      return () => {
        if (!group.ends.delete(end) || group.ends.size > 0) return;
        groups.delete(group);
        group.cancel();
      };
    },
    endAll(reason) {
      for (const { ends } of groups) endGroup(ends, reason);
    },
  };
}

function endGroup<Reason>(ends: ReadonlySet<(reason: Reason) => void>, reason: Reason): void {
  for (const end of ends) end(reason);
}
