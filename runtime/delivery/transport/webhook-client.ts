import { STATUS_CODES } from "node:http";
import type { Dispatcher } from "undici";
import type { Clock } from "../../ports/index.ts";
import { createTimeoutGroups } from "./timeout-groups.ts";
import type { ConnectionPools } from "./connection-pools.ts";
import { parseRetryAfter } from "../model/retry-schedule.ts";

/** How one attempt went. */
export interface AttemptOutcome {
  readonly startedAt: number;
  readonly durationMs: number;
  /** Of the response, where one arrived. */
  readonly status?: number;
  /** Absent: it was answered with 2xx. */
  readonly failure?: AttemptFailure;
  /** More on the failure, for people. */
  readonly detail?: string;
  readonly response?: string;
  readonly responseTruncated: boolean;
  /** What the receiver asked for with `Retry-After`. */
  readonly retryAfterMs?: number;
}

/**
 * - `timeout`: the whole exchange took too long.
 * - `refused-address`: nothing was sent: the address must not be dialled (D-44).
 * - `name`: the name has no address.
 * - `connect`: no connection; `tls`: no trusted one; `connection`: it broke.
 * - `redirect`, `gone`, `status`: answered with 3xx, 410, another status.
 * - `response`: what came was no HTTP response.
 * - `unsendable`: the address is no URL that this service would send to.
 * - `shutdown`: the service stopped meanwhile.
 */
export type AttemptFailure =
  | "timeout"
  | "refused-address"
  | "name"
  | "connect"
  | "tls"
  | "connection"
  | "redirect"
  | "gone"
  | "status"
  | "response"
  | "unsendable"
  | "shutdown";

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
  /** Limit of the whole exchange, from the name to the last byte of the answer. */
  readonly timeoutMs: number;
}

/** How much of a response is read before the connection is closed, and how much of it is kept. */
const responseBytesRead = 64 * 1024;
const responseBytesKept = 4 * 1024;

export interface WebhookClient {
  /** Posts a body. Never rejects, never follows a redirect; ends after `timeoutMs` at the latest. */
  send(exchange: WebhookRequest): Promise<AttemptOutcome>;
  /** Ends what is in flight, as `shutdown`, and whatever is to be sent from now on. */
  cancelAll(): void;
}

export function createWebhookClient({
  pools: origins,
  clock,
  timeoutMs,
}: WebhookClientOptions): WebhookClient {
  const late: Failure = { failure: "timeout", detail: `no complete answer within ${timeoutMs} ms` };
  const deadlines = createTimeoutGroups(clock, timeoutMs, late);
  let isCancelled = false;

  return {
    send,
    cancelAll: () => {
      isCancelled = true;
      deadlines.endAll({ failure: "shutdown" });
    },
  };

  function send({ origin, path, headers, body }: WebhookRequest): Promise<AttemptOutcome> {
    return new Promise((resolve) => {
      const startedAt = clock.now();
      const answer: ReceivedResponse = { chunks: [], bytes: 0, truncated: false };
      let controller: Dispatcher.DispatchController | undefined;
      let isOver = false;

      const end = (failed?: Failure): void => {
        if (isOver) return;
        isOver = true;
        ended();
        resolve(outcomeOf(answer, failed, startedAt, clock.now()));
      };
      const abandon = (failed?: Failure): void => {
        end(failed);
        controller?.abort(new Error("abandoned"));
      };
      const ended = deadlines.start(startedAt, abandon);
      if (isCancelled) {
        abandon({ failure: "shutdown" });
        return;
      }

      try {
        origins.of(origin).dispatch(
          {
            path,
            method: "POST",
            headers,
            body,
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          {
            onRequestStart(started) {
              controller = started;
              if (isOver) started.abort(new Error("abandoned"));
            },
            onResponseStart(_controller, status, received) {
              if (status < 200) return;
              answer.status = status;
              answer.retryAfter = one(received["retry-after"]);
            },
            onResponseData(_controller, chunk) {
              keep(answer, chunk);
              // The status has decided; the rest of an endless body decides nothing.
              if (answer.bytes >= responseBytesRead) abandon();
            },
            onResponseEnd: () => end(),
            onResponseError: (_controller, error) => end(failureOfError(error)),
          },
        );
      } catch (error) {
        end({ failure: "unsendable", detail: messageOf(error) });
      }
    });
  }
}

interface ReceivedResponse {
  status?: number;
  retryAfter?: string | undefined;
  chunks: Buffer[];
  /** Of the body so far, kept or not. */
  bytes: number;
  truncated: boolean;
}

interface Failure {
  readonly failure: AttemptFailure;
  readonly detail?: string;
}

function keep(answer: ReceivedResponse, chunk: Buffer): void {
  const room = responseBytesKept - answer.bytes;
  // A copy: the chunk is a part of a larger buffer that would otherwise live as long.
  if (room > 0) answer.chunks.push(Buffer.from(chunk.subarray(0, room)));
  if (chunk.length > room) answer.truncated = true;
  answer.bytes += chunk.length;
}

function outcomeOf(
  { status, retryAfter, chunks, truncated }: ReceivedResponse,
  failed: Failure | undefined,
  startedAt: number,
  endedAt: number,
): AttemptOutcome {
  const outcome =
    failed ?? (status === undefined ? { failure: "response" as const } : failureOfStatus(status));
  const retryAfterMs = outcome === undefined ? undefined : parseRetryAfter(retryAfter, endedAt);
  return {
    startedAt,
    durationMs: Math.max(endedAt - startedAt, 0),
    ...(status === undefined ? {} : { status }),
    ...outcome,
    ...(chunks.length === 0 ? {} : { response: textOf(Buffer.concat(chunks)) }),
    responseTruncated: truncated,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function failureOfStatus(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const detail = `${status} ${STATUS_CODES[status] ?? ""}`.trim();
  if (status === 410) return { failure: "gone", detail };
  return { failure: status >= 300 && status < 400 ? "redirect" : "status", detail };
}

/** Text of any kind as one that every store keeps. A character cut in two at the end is left out. */
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
  const detail = messageOf(error);
  if (code === "refused-address") return { failure: "refused-address", detail };
  if (nameCodes.has(code)) return { failure: "name", detail };
  if (connectCodes.has(code)) return { failure: "connect", detail };
  if (isTls(error, code)) return { failure: "tls", detail };
  if (
    code.startsWith("HPE_") ||
    code.startsWith("UND_ERR_HEADERS") ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
  )
    return { failure: "response", detail };
  return { failure: "connection", detail };
}

/** OpenSSL's own codes, and those of certificates, which have no common form. */
function isTls(error: Error, code: string): boolean {
  return (
    /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|INVALID_CA|HOSTNAME_MISMATCH)/.test(
      code,
    ) || /before secure TLS connection/.test(error.message)
  );
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Errors over several addresses carry their text in the first of them. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "" && error.errors.length > 0)
    return messageOf(error.errors[0]);
  return error instanceof Error ? `${error.message}`.slice(0, 500) : "unknown";
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
