import type { IncomingMessage, ServerResponse } from "node:http";
import type { MethodModel, ServiceModel, Shape } from "../../../generator/model/service-model.ts";
import { hintFor } from "../../../conformance/base/closest.ts";
import type { AnswerOptions } from "../answers.ts";
import { eventMaker, type EventLine, type MadeEvent, createNotificationSigner } from "./make.ts";
import { isJsonObject, accepts } from "../../../conformance/values/index.ts";
import { readingOf, resolve } from "../../../generator/model/resolve.ts";

export type { EventLine } from "./make.ts";

/** Where a mock hands out its events (GET: one line of JSON each) and takes orders for them (POST). */
export const eventsPath = "/mock/events";
const keySetPath = "/.well-known/jwks.json";

/** The first line that a listener gets. */
export interface EventsHead {
  readonly interface: string;
  readonly events: readonly string[];
  /** The secret of `v1` in `webhook-signature`. */
  readonly secret: string;
  /** Path of the public keys. */
  readonly keySet: string;
}

/** The event that an order made. */
export interface OrderedEvent {
  readonly eventId: string;
  readonly listeners: number;
}

export interface MockEvents {
  /** Answers a request to one of the paths above; false for every other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Makes the events that a method causes. */
  caused(method: MethodModel, result: unknown): void;
}

/** The events of a signed interface: made on demand and by calls, signed as the service signs them (D-41, D-42). */
export function createMockEvents(options: AnswerOptions, onEvent: (name: string) => void): MockEvents {
  const { model, seed } = options;
  const signer = createNotificationSigner(seed);
  const make = eventMaker(options, signer);
  const listeners = createListeners();

  function send({ eventId, line }: Extract<MadeEvent, { readonly line: EventLine }>): OrderedEvent {
    listeners.send(JSON.stringify(line));
    onEvent(line.name);
    return { eventId, listeners: listeners.count() };
  }

  async function order(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wanted = await readWanted(request);
    if (typeof wanted === "string") return sendText(response, 400, wanted);
    const event = model.events.find(({ name }) => name === wanted.name);
    if (event === undefined) return sendText(response, 400, unknownEvent(wanted.name));
    const found = wantedFields(wanted, event.payload, model);
    if ("unknown" in found) return sendText(response, 400, `${event.name}: ${found.unknown}`);
    const made = make(event, { wanted: found.fields });
    if ("line" in made) sendJson(response, send(made));
    else sendText(response, 400, `the payload of ${event.name} does not fit\n${made.problems}`);
  }

  function unknownEvent(name: string): string {
    const names = model.events.map((each) => each.name);
    return `${model.name} has no event ${name}: ${hintFor(name, names)}`;
  }

  return {
    handle(request, response) {
      const [pathname] = (request.url ?? "").split("?");
      if (pathname === keySetPath && request.method === "GET") sendJson(response, signer.keySet);
      else if (pathname !== eventsPath) return false;
      else if (request.method === "POST") void order(request, response);
      else if (request.method === "GET") {
        const head: EventsHead = {
          interface: model.name,
          events: model.events.map(({ name }) => name),
          secret: signer.secret,
          keySet: keySetPath,
        };
        if (!listeners.add(response, JSON.stringify(head)))
          sendText(response, 503, "too many listen already: end one of them");
      } else sendText(response, 405, "GET listens, POST makes an event");
      return true;
    },
    caused(method, result) {
      for (const event of model.events.filter(({ name }) => method.emits.includes(name))) {
        const made = make(event, { result });
        if ("line" in made) send(made);
      }
    },
  };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

/** Those who read events as they come. */
interface Listeners {
  /** Begins an answer that does not end, with its first line; false where too many listen already. */
  add(response: ServerResponse, head: string): boolean;
  send(line: string): void;
  count(): number;
}

const listenersMax = 16;
/** One that does not read is dropped when so much waits for it. */
const waitingBytesMax = 8 * 1024 * 1024;

function createListeners(): Listeners {
  const all = new Set<ServerResponse>();
  return {
    add(response, head) {
      if (all.size >= listenersMax) return false;
      all.add(response);
      response.on("close", () => all.delete(response));
      response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
      response.write(`${head}\n`);
      return true;
    },
    send(line) {
      for (const response of all) {
        response.write(`${line}\n`);
        if (response.writableLength > waitingBytesMax) response.destroy();
      }
    },
    count: () => all.size,
  };
}

/** An event that is asked for, by name. */
interface WantedEvent extends Wanted {
  readonly name: string;
}

const bytesMax = 256 * 1024;

/** The body of an order; or what is wrong with it. */
async function readWanted(request: IncomingMessage): Promise<WantedEvent | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes > bytesMax) return `an event takes ${bytesMax} bytes at most`;
      chunks.push(part);
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (!isJsonObject(value) || !("name" in value) || typeof value.name !== "string") return shape;
    const { name } = value;
    const payload = "payload" in value ? value.payload : {};
    const set = "set" in value ? value.set : {};
    return isJsonObject(payload) && isJsonObject(set) ? { name, payload, set } : shape;
  } catch {
    return shape;
  }
}

const shape = 'send {"name": "<event>", "payload": {<fields that differ>}, "set": {"<field>": "<text>"}}';

/** The fields that a trigger wants in the payload of an event. */
interface Wanted {
  /** Fields, as JSON. */
  readonly payload: object;
  /** Texts by the path of a field, `a.b`: JSON where the field's type takes that, and texts otherwise. */
  readonly set: object;
}

/** The fields that are wanted, as one object; or the first that the type does not have. */
function wantedFields(
  { payload, set }: Wanted,
  shape: Shape,
  model: ServiceModel,
): { readonly fields: object } | { readonly unknown: string } {
  let fields = payload;
  for (const [path, text] of Object.entries(set)) {
    const names = path.split(".");
    const field = names.reduce<Shape | undefined>(
      (at, name) => (at === undefined ? undefined : fieldOf(at, name, model)),
      shape,
    );
    fields = withValue(fields, names, field === undefined ? text : valueOf(String(text), field, model));
  }
  const unknown = unknownName(fields, shape, model);
  return unknown === undefined ? { fields } : { unknown };
}

function fieldOf(shape: Shape, name: string, model: ServiceModel): Shape | undefined {
  const resolved = resolve(model, shape);
  return resolved.kind === "object" ? resolved.fields.find((field) => field.name === name)?.shape : undefined;
}

function valueOf(text: string, shape: Shape, model: ServiceModel): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return accepts(shape, value, readingOf(model)) ? value : text;
  } catch {
    return text;
  }
}

function withValue(object: object, [name = "", ...rest]: readonly string[], value: unknown): object {
  const parts = new Map<string, unknown>(Object.entries(object));
  const present = parts.get(name);
  parts.set(name, rest.length === 0 ? value : withValue(isJsonObject(present) ? present : {}, rest, value));
  return Object.fromEntries(parts);
}

function unknownName(value: unknown, shape: Shape, model: ServiceModel, path = ""): string | undefined {
  const resolved = resolve(model, shape);
  if (resolved.kind !== "object" || !isJsonObject(value)) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const field = resolved.fields.find((each) => each.name === name);
    if (field === undefined) {
      const names = resolved.fields.map((each) => each.name);
      return `there is no field ${path}${name}: ${hintFor(name, names)}`;
    }
    const within = unknownName(part, field.shape, model, `${path}${name}.`);
    if (within !== undefined) return within;
  }
  return undefined;
}
