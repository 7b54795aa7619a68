import { readFileSync } from "node:fs";
import { parsed } from "../../conformance/request/access.ts";
import { isJsonObject } from "../../conformance/values/index.ts";
import { eventsPath } from "../mock/index.ts";
import { exitCode } from "../../generator/cli/exit-code.ts";
import { reached, type Terminal } from "../../generator/cli/terminal.ts";
import { eventsOf, usualMock } from "./event-source.ts";
import { sendTestEvents, testEvent } from "./service-events.ts";

export interface TriggerOptions {
  /** Origin of the mock or of the service; default: that of the access file, or where a mock is. */
  readonly from?: URL;
  /** The file that says who calls, where a service is to send its test event. */
  readonly access?: string;
  /** Only for these subscriptions. */
  readonly subscription?: readonly string[];
  /** `<field>=<value>`, and `<field>.<field>=<value>` for one within. */
  readonly set?: readonly string[];
  /** JSON file with fields of the payload. */
  readonly payload?: string;
}

/**
 * `ledger-rpc trigger`: has a mock make an event, or a service send its test event; without a name, says which events a
 * mock has.
 */
export async function trigger(
  name: string | undefined,
  options: TriggerOptions,
  terminal: Terminal,
): Promise<number> {
  const from = options.from ?? usualMock;
  const { access } = options;
  try {
    if (access !== undefined) {
      for (const line of await testOf(name, { ...options, access: reached(terminal, access) }))
        terminal.print(line);
      return exitCode.ok;
    }
    if (name === undefined) {
      for (const each of await eventNames(from)) terminal.print(each);
      return exitCode.ok;
    }
    const payload = payloadIn(options.payload === undefined ? undefined : reached(terminal, options.payload));
    const set = Object.fromEntries((options.set ?? []).map(setting));
    const response = await fetch(new URL(eventsPath, from), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, payload, set }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(isOfMock(response) ? text.trimEnd() : noMock(from));
    const { eventId, listeners } = JSON.parse(text);
    terminal.print(`${name} ${eventId}: ${listeners} listening`);
    if (listeners === 0)
      terminal.note("hint: no listener has got it: ledger-rpc listen --forward <url> posts events");
    return exitCode.ok;
  } catch (error) {
    terminal.note(`error: ${reasonOf(error, from)}`);
    return exitCode.failed;
  }
}

/** @throws Error where a service cannot make the event that is asked for */
async function testOf(
  name: string | undefined,
  { set, payload, ...options }: TriggerOptions & { readonly access: string },
): Promise<readonly string[]> {
  if (name !== undefined && name !== testEvent)
    throw new Error(
      `a service makes ${name} when it happens: with --access only ${testEvent} can be asked for, which says that the address works`,
    );
  if ((set ?? payload) !== undefined)
    throw new Error(`${testEvent} has no payload: --set and --payload are for a mock`);
  return sendTestEvents(options);
}

/** A mock says in plain words what is wrong; another service answers such a path in its own way. */
function isOfMock({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/plain") === true;
}

function noMock(from: URL): string {
  return `what answers at ${from.origin} is no mock: for the ${testEvent} event of a service, name your access file with --access`;
}

async function eventNames(from: URL): Promise<readonly string[]> {
  const controller = new AbortController();
  const { head } = await eventsOf(from, controller.signal);
  controller.abort();
  return head.events;
}

function payloadIn(file: string | undefined): object {
  if (file === undefined) return {};
  const value = parsed(readFileSync(file, "utf8"), file);
  if (!isJsonObject(value)) throw new Error(`${file} holds no JSON object`);
  return value;
}

function setting(given: string): readonly [string, string] {
  const equalsAt = given.indexOf("=");
  if (equalsAt < 1) throw new Error(`--set ${given}: write <field>=<value>`);
  return [given.slice(0, equalsAt), given.slice(equalsAt + 1)];
}

function reasonOf(error: unknown, from: URL): string {
  if (!(error instanceof Error)) return String(error);
  const isUnanswered = "code" in error || error.message === "fetch failed";
  return isUnanswered
    ? `nothing answers at ${from.origin}: start ledger-rpc mock, or name its address with --from`
    : error.message;
}
