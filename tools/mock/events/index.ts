import type { IncomingMessage, ServerResponse } from "node:http";
import type { MethodModel } from "../../../generator/model/service-model.ts";
import { hintFor } from "../../../conformance/session/closest.ts";
import type { AnswerOptions } from "../answers.ts";
import { createListeners } from "./listeners.ts";
import { eventMaker, type EventLine, type MadeEvent } from "./make.ts";
import { readWanted } from "./read-wanted.ts";
import { createNotificationSigner } from "./signing.ts";
import { wantedFields } from "./wanted.ts";

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
