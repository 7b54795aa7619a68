import { setTimeout as sleep } from "node:timers/promises";
import type { EventsHead } from "../../mock/index.ts";
import { hintFor } from "../../spec/closest.ts";
import { exitCode } from "../exit-code.ts";
import { stopSignal } from "../stop-signal.ts";
import type { Terminal } from "../terminal.ts";
import { eventsOf, type EventStream } from "./events-of.ts";
import { forward } from "./forward.ts";

export interface ListenOptions {
  /** Where to post the events to. */
  readonly forward: URL;
  /** Origin of the mock. */
  readonly from: URL;
  /** Names of events; all where absent. */
  readonly events?: readonly string[];
}

const reconnectMs = 1_000;

/** `ledger-rpc listen`: posts the events of a mock to a receiver, one after the other, until it is stopped. */
export async function listen(options: ListenOptions, terminal: Terminal): Promise<number> {
  const signal = stopSignal();
  const first = await opened(options.from, signal);
  if (typeof first === "string") {
    terminal.note(`error: ${first}`);
    terminal.note(`hint: start it with ledger-rpc mock, and name its address with --from`);
    return exitCode.failed;
  }
  const unknown = unknownEvent(first.head, options.events ?? []);
  if (unknown !== undefined) {
    terminal.note(`error: ${unknown}`);
    return exitCode.usage;
  }
  terminal.print(introduction(first.head, options));
  const counts = { taken: 0, refused: 0 };
  let stream: EventStream | string = first;
  while (!signal.aborted) {
    if (typeof stream !== "string") {
      await forwardAll(stream, options, { terminal, signal, counts });
      if (!signal.aborted) terminal.note(`the mock has ended: waiting for it at ${options.from.origin}`);
    }
    await sleep(reconnectMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    stream = await opened(options.from, signal);
    if (typeof stream !== "string") terminal.note("the mock is back");
  }
  terminal.print(`${counts.taken} taken, ${counts.refused} not taken`);
  return exitCode.ok;
}

interface Forwarding {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly counts: { taken: number; refused: number };
}

async function forwardAll(
  { events }: EventStream,
  options: ListenOptions,
  { terminal, signal, counts }: Forwarding,
): Promise<void> {
  try {
    for await (const event of events) {
      if (options.events?.includes(event.name) === false) continue;
      const { isTaken, outcome, attempts } = await forward(
        event,
        options.forward,
        signal,
        (failure, againInMs) => terminal.note(`${event.name}: ${failure}; again in ${againInMs / 1_000} s`),
      );
      if (isTaken) counts.taken += 1;
      else counts.refused += 1;
      terminal.print(`${event.name}: ${outcome}${isTaken ? "" : `, given up after ${attempts} attempts`}`);
    }
  } catch (error) {
    // A connection that breaks is opened again.
    if (!signal.aborted) terminal.note(error instanceof Error ? error.message : String(error));
  }
}

async function opened(from: URL, signal: AbortSignal): Promise<EventStream | string> {
  try {
    return await eventsOf(from, signal);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors[0] : error;
    return `no events from ${from.origin}: ${reason instanceof Error ? reason.message : String(reason)}`;
  }
}

function unknownEvent(
  { events, interface: name }: EventsHead,
  wanted: readonly string[],
): string | undefined {
  const unknown = wanted.find((each) => !events.includes(each));
  if (unknown === undefined) return undefined;
  return `${name} has no event ${unknown}: ${hintFor(unknown, events)}`;
}

function introduction(head: EventsHead, { forward: to, from, events }: ListenOptions): string {
  return [
    `Posting ${(events ?? head.events).join(", ")} of ${head.interface} to ${to.href}`,
    `Signed with the secret ${head.secret}`,
    `and with the keys of ${new URL(head.keySet, from).href}`,
    `Make one: ledger-rpc trigger ${(events ?? head.events)[0] ?? ""}`,
  ].join("\n");
}
