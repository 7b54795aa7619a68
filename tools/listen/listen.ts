import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../conformance/base/message-of.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { hintFor } from "../../conformance/base/closest.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { stopSignal } from "../../conformance/base/stop-signal.ts";
import { reached, type Terminal } from "../../generator/cli/terminal.ts";
import { FinalError, type EventSource, type EventStream, mockEvents, usualMock } from "./event-source.ts";
import { serviceEvents } from "./service-events.ts";
import type { EventLine } from "../mock/index.ts";

export interface ListenOptions {
  /** Where to post the events to. */
  readonly forward: URL;
  /** Origin of the mock or of the service; default: that of the access file, or where a mock is. */
  readonly from?: URL;
  /** Names of events; all where absent. */
  readonly events?: readonly string[];
  /** The file that says who calls, where a service is listened to. */
  readonly access?: string;
  readonly subscription?: readonly string[];
  readonly since?: Date;
}

const reconnectMs = 1_000;

/**
 * `ledger-rpc listen`: posts the events of a mock or of a service to a receiver, one after the other, until it is stopped.
 */
export async function listen(
  options: ListenOptions,
  terminal: Terminal,
  signal: AbortSignal = stopSignal(),
): Promise<number> {
  const counts = { taken: 0, refused: 0 };
  if (options.access === undefined && (options.since ?? options.subscription) !== undefined) {
    terminal.note(
      "error: --since and --subscription are for a service: say who calls it with --access <file>",
    );
    return exitCode.usage;
  }
  try {
    const source = sourceOf(options, terminal, signal);
    const first = await openedFirst(source);
    const unknown = unknownEvent(first, options.events ?? []);
    if (unknown !== undefined) throw new FinalError(unknown);
    for (const line of introduction(first, source, options)) terminal.print(line);
    await forwardUntilStopped(first, source, options, { terminal, signal, counts });
  } catch (error) {
    if (!signal.aborted) {
      terminal.note(`error: ${messageOf(error)}`);
      if (error instanceof NotOpened) terminal.note(`hint: ${error.hint}`);
      return exitCode.failed;
    }
  }
  terminal.print(`${counts.taken} taken, ${counts.refused} not taken`);
  return exitCode.ok;
}

/** @throws Error with every mistake in the access file */
function sourceOf(
  { from, access, ...options }: ListenOptions,
  terminal: Terminal,
  signal: AbortSignal,
): EventSource {
  if (access === undefined) return mockEvents(from ?? usualMock, signal);
  return serviceEvents({ ...options, access: reached(terminal, access), ...omitUndefined({ from }) }, signal);
}

class NotOpened extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** @throws NotOpened where nothing of the kind is there, FinalError where it is and says no */
async function openedFirst(source: EventSource): Promise<EventStream> {
  try {
    return await source.open();
  } catch (error) {
    if (error instanceof FinalError && !source.isElsewhere(error)) throw error;
    throw new NotOpened(messageOf(error), source.hint);
  }
}

interface Forwarding {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly counts: { taken: number; refused: number };
}

/** @throws FinalError where the source says no for good */
async function forwardUntilStopped(
  first: EventStream,
  source: EventSource,
  options: ListenOptions,
  forwarding: Forwarding,
): Promise<void> {
  const { terminal, signal } = forwarding;
  let stream: EventStream | undefined = first;
  while (!signal.aborted) {
    if (stream !== undefined) {
      const failure = await forwardAll(stream, options, forwarding);
      if (signal.aborted) return;
      if (failure instanceof FinalError) throw failure;
      const reason = failure === undefined ? `${source.noun} has ended` : messageOf(failure);
      terminal.note(`${reason}: waiting for ${source.noun} at ${source.origin}`);
    }
    await sleep(reconnectMs, undefined, { signal }).catch(() => undefined);
    stream = await reopened(source);
    if (stream !== undefined && !signal.aborted) terminal.note(`${source.noun} is back`);
  }
}

/** Undefined where the source is not back yet. @throws FinalError */
async function reopened(source: EventSource): Promise<EventStream | undefined> {
  try {
    return await source.open();
  } catch (error) {
    if (error instanceof FinalError) throw error;
    return undefined;
  }
}

/** Forwards until the stream ends. Returns why it broke. */
async function forwardAll(
  { lines }: EventStream,
  options: ListenOptions,
  { terminal, signal, counts }: Forwarding,
): Promise<unknown> {
  try {
    for await (const line of lines) {
      if (options.events?.includes(line.name) === false) continue;
      const name = `${line.name} ${line.headers["webhook-id"]}`;
      const { isTaken, outcome, attempts } = await forward(
        line,
        options.forward,
        signal,
        (failure, againInMs) => terminal.note(`${name}: ${failure}; again in ${againInMs / 1_000} s`),
      );
      if (signal.aborted && !isTaken) return undefined;
      if (isTaken) counts.taken += 1;
      else counts.refused += 1;
      terminal.print(`${name}: ${outcome}${isTaken ? "" : `, given up after ${attempts} attempts`}`);
    }
    return undefined;
  } catch (error) {
    // A connection that breaks is opened again.
    return error;
  }
}

function unknownEvent({ events, owner }: EventStream, wanted: readonly string[]): string | undefined {
  if (events === undefined) return undefined;
  const unknown = wanted.find((each) => !events.includes(each));
  if (unknown === undefined) return undefined;
  return `no ${unknown} comes of ${owner}: ${hintFor(unknown, events)}`;
}

function introduction(
  { events, owner, introduction: rest }: EventStream,
  { origin }: EventSource,
  { forward: to, events: wanted }: ListenOptions,
): readonly string[] {
  const names = (wanted ?? events)?.join(", ") ?? "the events";
  return [`Posting ${names} of ${owner} at ${origin} to ${to.href}`, ...rest];
}

/** How one event was taken. */
interface Forwarded {
  readonly isTaken: boolean;
  /** `200 in 12 ms`; or why there was no answer. */
  readonly outcome: string;
  readonly attempts: number;
}

/** The waits before an event that was not answered with 2xx is sent again, by the same id. */
const usualWaitsMs = [1_000, 2_000, 4_000];
const answerMsMax = 10_000;

/** Posts an event to a receiver. Reports each failed attempt to `onFailure`. */
export async function forward(
  { headers, body }: EventLine,
  to: URL,
  signal: AbortSignal,
  onFailure: (outcome: string, againInMs: number) => void,
  waitsMs: readonly number[] = usualWaitsMs,
): Promise<Forwarded> {
  for (let attempts = 1; ; attempts += 1) {
    const { isTaken, outcome } = await attempt(to, headers, body, signal);
    const waitMs = waitsMs[attempts - 1];
    if (isTaken || waitMs === undefined || signal.aborted) return { isTaken, outcome, attempts };
    onFailure(outcome, waitMs);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

async function attempt(
  to: URL,
  headers: EventLine["headers"],
  body: string,
  signal: AbortSignal,
): Promise<Omit<Forwarded, "attempts">> {
  const startedAt = performance.now();
  try {
    const response = await fetch(to, {
      method: "POST",
      headers: { ...headers, "user-agent": "ledger-rpc listen" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    });
    await response.body?.cancel();
    const elapsedMs = Math.round(performance.now() - startedAt);
    return { isTaken: response.ok, outcome: `${response.status} in ${elapsedMs} ms` };
  } catch (error) {
    return { isTaken: false, outcome: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${answerMsMax} ms`;
  return messageOf(error.cause ?? error);
}
