import { type EventLine, eventsPath, type EventsHead } from "../mock/index.ts";
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isJsonObject } from "../../conformance/values/index.ts";

/** Where events come from: a mock, or a running service. */
export interface EventSource {
  /** In messages: `the mock`. */
  readonly noun: string;
  readonly origin: string;
  /** Advice where it cannot be opened at first. */
  readonly hint: string;
  /** Whether such an error means that there is no such source at its address. */
  isElsewhere(error: FinalError): boolean;
  /**
   * Opens it, again where it ended before: then what came meanwhile is not left out, as far as the source keeps it.
   *
   * @throws FinalError where asking again would not help, and other errors where it may
   */
  open(): Promise<EventStream>;
}

export interface EventStream {
  /** Names of the events that come of it; absent where that is not known yet. */
  readonly events?: readonly string[];
  /** Their owner: `ledger`, `2 subscriptions of yours`. */
  readonly owner: string;
  /** Lines that say how a receiver verifies them, and how one is made. */
  readonly introduction: readonly string[];
  /** Ends where the source ends; an event is asked for when the one before was taken care of. */
  readonly lines: AsyncIterable<EventLine>;
}

/** The source says no for good. */
export class FinalError extends Error {}

/** The events of a mock for listeners: first what the mock has, then each new one. */
interface MockStream {
  readonly head: EventsHead;
  readonly events: AsyncIterable<EventLine>;
}

/**
 * Begins to listen to a mock. The events end with the mock, or when `signal` is aborted.
 *
 * @throws where nothing answers there, or something else than a mock with events
 */
export async function eventsOf(origin: URL, signal: AbortSignal): Promise<MockStream> {
  const address = new URL(eventsPath, origin);
  const request = get(address, { signal });
  const [response]: IncomingMessage[] = await once(request, "response");
  if (response?.statusCode !== 200) {
    response?.resume();
    throw new Error(
      `${address.href} answers ${response?.statusCode}: no mock is there, or the spec of the mock has no events`,
    );
  }
  const lines = createInterface({ input: response, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  const head: unknown = JSON.parse(String(first));
  if (!isHead(head)) throw new Error(`${address.href} is no mock of this version`);
  return { head, events: eventsIn(lines) };
}

/** Where `ledger-rpc mock` listens. */
export const usualMock = new URL("http://127.0.0.1:3000");

/** The events of a mock. What it makes without a listener is lost. */
export function mockEvents(from: URL, signal: AbortSignal): EventSource {
  return {
    noun: "the mock",
    origin: from.origin,
    hint: "start it with ledger-rpc mock, and name its address with --from; for the events of a service name your access file with --access",
    isElsewhere: () => false,
    async open() {
      const { head, events: lines } = await eventsOf(from, signal);
      const { events, secret, keySet } = head;
      const introduction = [
        `Signed with the secret ${secret}`,
        `and with the keys of ${new URL(keySet, from).href}`,
        `Make one: ledger-rpc trigger ${events[0] ?? ""}${from.origin === usualMock.origin ? "" : ` --from ${from.origin}`}`,
      ];
      return { owner: head.interface, events, introduction, lines };
    },
  };
}

async function* eventsIn(lines: AsyncIterator<string>): AsyncGenerator<EventLine> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) return;
    const event: unknown = JSON.parse(value);
    if (isEvent(event)) yield event;
  }
}

function isHead(value: unknown): value is EventsHead {
  return isJsonObject(value) && "events" in value && Array.isArray(value.events) && "secret" in value;
}

function isEvent(value: unknown): value is EventLine {
  return isJsonObject(value) && "name" in value && "headers" in value && "body" in value;
}
