import { createInterface } from "node:readline";
import { type Frame, framed, jsonRpcFrame } from "../../conformance/base/frame.ts";
import { memberOf } from "../../conformance/values/index.ts";
import { endCommand, startCommand } from "../../conformance/request/carrier.ts";

/** The outcome of a call. */
export type Outcome =
  | { readonly kind: "result"; readonly text: string }
  | {
      readonly kind: "error";
      readonly code: string;
      readonly message: string;
      readonly data: string | undefined;
      /** Seconds or a date, where the response says when to try again. */
      readonly retryAfter?: string;
    }
  /** The service took a notification: there is no answer. */
  | { readonly kind: "taken" }
  /** There is no answer of JSON-RPC. */
  | { readonly kind: "failed"; readonly reason: string };

export interface Exchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutSeconds: number;
  readonly isNotification: boolean;
  /** The names of the members of messages. Default: those of JSON-RPC 2.0. */
  readonly frame?: Frame;
  /** Whether a result is sent without an envelope around it. */
  readonly isFlat?: boolean;
  /** The option that says where the service is, for messages. Default `--url`. */
  readonly addressOption?: string;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
}

/** The text of a request (JSON-RPC 2.0, section 4); `params` as they were given, digit by digit. */
export function requestText(
  method: string,
  params: string | undefined,
  id: number | undefined,
  frame: Frame = jsonRpcFrame,
): string {
  const call = JSON.stringify(framed(frame, { id, method }));
  return params === undefined ? call : `${call.slice(0, -1)},${JSON.stringify(frame.params)}:${params}}`;
}

/** Sends a request once; no redirect is followed, so credentials go nowhere else. */
export async function exchange({
  url,
  headers,
  body,
  timeoutSeconds,
  isNotification,
  isFlat = false,
  frame = jsonRpcFrame,
  addressOption = "--url",
  signal,
}: Exchange): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), ...(signal ? [signal] : [])]),
    });
    const text = await response.text();
    if (isNotification && response.ok && text === "") return { kind: "taken" };
    const status = `HTTP ${response.status} ${response.statusText}`.trim();
    const outcome = outcomeOf(text, isFlat && response.ok, frame);
    const retryAfter = response.headers.get("retry-after");
    if (outcome?.kind === "error" && retryAfter !== null) return { ...outcome, retryAfter };
    return outcome ?? { kind: "failed", reason: noAnswer(status, url, text) };
  } catch (cause) {
    return { kind: "failed", reason: reasonOf(cause, url, timeoutSeconds, addressOption) };
  }
}

/** A response object (section 5); undefined for anything else, also for one with both a result and an error. */
export function outcomeOf(text: string, isFlat: boolean, frame: Frame = jsonRpcFrame): Outcome | undefined {
  const answer = parsed(text);
  if (typeof answer !== "object" || answer === null) return undefined;
  const result = memberOf(answer, frame.result);
  const error = memberOf(answer, frame.error);
  if (!isFlat && (result ?? null) !== null && (error ?? null) !== null) return undefined;
  if (typeof error === "object" && error !== null) {
    const { code, message, data }: { code?: unknown; message?: unknown; data?: unknown } = error;
    const words = { code: textOf(code).replaceAll('"', ""), message: String(message) };
    return { kind: "error", ...words, data: data === undefined ? undefined : textOf(data) };
  }
  if (isFlat) return { kind: "result", text: textOf(answer) };
  return result === undefined ? undefined : { kind: "result", text: textOf(result) };
}

/** Numbers stay the digits that were sent. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value,
    );
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? "undefined";
}

/** That what came is no response. */
export function noAnswer(status: string, url: string, text: string): string {
  const start = text.trim().slice(0, 200);
  return `${url} gave no response of JSON-RPC, but ${status}${start === "" ? "" : `: ${start}`}`;
}

function reasonOf(cause: unknown, url: string, timeoutSeconds: number, addressOption: string): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "TimeoutError")
    return `${url} did not answer within ${timeoutSeconds} s: give it longer with --timeout`;
  const { code, message } = Object(cause.cause ?? cause);
  if (code === "ECONNREFUSED")
    return `nothing listens at ${url}: start the service, or say where it is with ${addressOption}`;
  return `${url} cannot be called: ${message}`;
}

/** Sends a message over a WebSocket of its own; what proves who calls is in the headers of the handshake. */
export async function socketExchange(asked: Exchange): Promise<Outcome> {
  const { url, headers, body, isNotification, frame = jsonRpcFrame } = asked;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = new WebSocket(url, { headers: { ...headers } });
  let isOpen = false;
  socket.addEventListener("open", () => {
    isOpen = true;
    socket.send(body);
    // The service answers the end of a connection when it has read what was sent before it.
    if (isNotification) socket.close();
  });
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    if (!isNotification && !isFromService(text, frame)) resolve(answerOf(text, url, frame));
  });
  socket.addEventListener("error", () => {
    const what = isOpen ? "the connection broke" : "no connection, or it was refused";
    resolve(failed(`${url} cannot be called: ${what}`));
  });
  socket.addEventListener("close", ({ code, reason }) => {
    const words = `${url} closed the connection with ${code}${reason === "" ? "" : `, ${reason}`}`;
    resolve(isNotification && isOpen && code <= 1005 ? { kind: "taken" } : failed(words));
  });
  try {
    return await inTime(promise, asked);
  } finally {
    socket.close();
  }
}

/** Starts a command in a folder and sends a message to its standard input, which then ends; a message is one line. */
export async function commandExchange(
  command: string,
  cwd: string,
  asked: Omit<Exchange, "url">,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = startCommand(command, cwd);
  const { isNotification, body, frame = jsonRpcFrame } = asked;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!isNotification && !isFromService(line, frame)) resolve(answerOf(line, command, frame));
  });
  child.on("error", (error) => resolve(failed(`${command} cannot be run: ${error.message}`)));
  child.on("close", (code, signal) => {
    const isTaken = isNotification && code === 0;
    resolve(
      isTaken ? { kind: "taken" } : failed(`${command} ended with ${code ?? signal}, without an answer`),
    );
  });
  // It may end before it reads: `close` says so.
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${body}\n`);
  try {
    return await inTime(promise, { ...asked, url: command });
  } finally {
    if (child.exitCode === null && child.signalCode === null) endCommand(child);
  }
}

async function inTime(
  outcome: Promise<Outcome>,
  { url, timeoutSeconds }: Pick<Exchange, "url" | "timeoutSeconds">,
): Promise<Outcome> {
  const late = failed(`${url} did not answer within ${timeoutSeconds} s: give it longer with --timeout`);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(resolve, timeoutSeconds * 1000, late);
  return await Promise.race([outcome, promise]).finally(() => clearTimeout(timer));
}

function answerOf(text: string, from: string, frame: Frame): Outcome {
  return outcomeOf(text, false, frame) ?? failed(noAnswer("a message", from, text));
}

function failed(reason: string): Outcome {
  return { kind: "failed", reason };
}

/** Whether the service sent a message by itself: it is about nothing that was asked. */
function isFromService(text: string, { method }: Frame): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && Object.hasOwn(message, method);
  } catch {
    return false;
  }
}
