import { randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../conformance/base/message-of.ts";
import type { Access, Samples } from "../../conformance/request/access.ts";
import { shapesOfSamples } from "../../conformance/samples/index.ts";
import { randomFrom } from "../../conformance/session/order.ts";
import { payloadShapes, readingOf } from "../../generator/model/resolve.ts";
import type { MethodModel, ServiceModel, Shape } from "../../generator/model/service-model.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { createHostCheck, misdirected, setHostCheck } from "../../runtime/transport/http/refusals.ts";
import { rpcStdio } from "../../runtime/transport/stdio/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import { toolsOf } from "../protocols/index.ts";
import { mockOf } from "../protocols/mocks.ts";
import { drawn, identifierOf } from "./answers.ts";
import { createMockEvents } from "./events/index.ts";
import { type FaultOptions, injectedFaultOf, mockHeaders, sendFault } from "./faults.ts";
import { createObjects, type Identifier, visit } from "./objects.ts";

export { eventsPath, type EventLine, type EventsHead } from "./events/index.ts";
export { faultKinds, type FaultKind } from "./faults.ts";

export interface MockOptions extends FaultOptions {
  /** Host names that requests may be for, beside loopback ones; `*`: any. */
  readonly names?: readonly string[];
  /** Who may call, and which objects there are; absent: every caller. */
  readonly access?: Access;
  /** Errors that calls of a method are answered with, by the name of the method. */
  readonly errors: ReadonlyMap<string, string>;
  /** Seed of the values in answers, and of the random numbers that decide what happens to a request. */
  readonly seed: number;
  /** Served under `/docs/`: none if absent. */
  readonly pages?: MockPages;
  readonly onCall?: (method: string, answer: string) => void;
  readonly onEvent?: (name: string) => void;
}

/** A service of an interface that answers from the spec. It keeps identifiers alone. The caller lets it listen. */
export function createMock(model: ServiceModel, options: MockOptions): Server {
  const { access, errors, seed, onCall = () => undefined, onEvent = () => undefined } = options;
  const kind = mockOf(model);
  const objects = createObjects(model, access?.samples ?? {});
  const events =
    protocolOf(model).postsEvents && model.events.length > 0
      ? createMockEvents({ model, seed, objects }, onEvent)
      : undefined;
  const onResult = (method: MethodModel, result: unknown): void => events?.caused(method, result);
  const served = { model, seed, objects, errors, onCall, onResult };
  const { handle, service } = kind.mock(access, served);
  const names = kind.errorNames(model);
  const random = randomFrom(seed);
  const servePage = options.pages && createPageHandler(options.pages);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (events?.handle(request, response) === true || servePage?.(request, response) === true) return;
    const injected = injectedFaultOf(request, options, random);
    if (typeof injected === "string") return refuse(response, 400, injected);
    const asked = request.headers[mockHeaders.error];
    if (asked !== undefined && !names.includes(String(asked)))
      return refuse(response, 400, `Mock-Error names no error of ${model.name}: it has ${names.join(", ")}`);
    const { waitMs, fault } = injected;
    if (waitMs > 0) await sleep(waitMs);
    if (fault === undefined) await handle(request, response);
    else sendFault(fault, response);
  }

  const isForHere = createHostCheck("127.0.0.1", options.names ?? []);
  const server = createServer((request, response) => {
    if (!isForHere(request)) return refuse(response, misdirected.status, misdirected.text.trimEnd());
    answer(request, response).catch((error: unknown) => {
      const reason = messageOf(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, `The mock has failed: ${reason}`);
    });
  });
  setHostCheck(server, isForHere);
  if (service?.descriptor.transports.includes("websocket") === true) {
    rpcWebSocket(service, { origins: "any" }).attach(server);
    closeUpgraded(server);
  }
  return server;
}

/** A server forgets the connections that became WebSockets: they would keep it open. */
function closeUpgraded(server: Server): void {
  const sockets = new Set<Duplex>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const closeOthers = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeOthers();
    for (const socket of sockets) socket.destroy();
  };
}

/**
 * Answers on standard output what comes on standard input, a line each, until that ends. Pipes carry no credentials: every
 * caller is taken. Gives whether calls of the interface come over pipes.
 */
export async function mockOnStdio(
  model: ServiceModel,
  { errors, seed, onCall = () => undefined }: Pick<MockOptions, "errors" | "seed" | "onCall">,
): Promise<boolean> {
  const served = {
    model,
    seed,
    objects: createObjects(model, {}),
    errors,
    onCall,
    onResult: () => undefined,
  };
  const { service } = mockOf(model).mock(undefined, served);
  if (service === undefined) return false;
  await rpcStdio(service).done;
  return true;
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

/** Pages beside a mock, by their paths below `/docs/`; made when the first is asked for. */
type MockPages = () => ReadonlyMap<string, string>;

const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const types: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  svg: "image/svg+xml",
};

/** Answers a request for a page, or for the root, which leads to them; false for any other. */
export function createPageHandler(
  pages: MockPages,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let made: ReadonlyMap<string, string> | undefined;
  return ({ method, url = "" }, response) => {
    const [pathname = ""] = url.split("?");
    if (method === "GET" && pathname === "/") {
      response.writeHead(302, { Location: "docs/" }).end();
      return true;
    }
    if (method !== "GET" || !/^\/docs(?:\/|$)/.test(pathname)) return false;
    if (!pathname.startsWith("/docs/")) {
      response.writeHead(301, { Location: "/docs/" }).end();
      return true;
    }
    const path = pathname.slice("/docs/".length).replace(/(^|\/)$/, "$1index.html");
    made ??= pages();
    const text = made.get(path);
    if (text === undefined) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("There is no such page\n");
      return true;
    }
    const type = types[path.split(".").at(-1) ?? ""] ?? "text/plain";
    response.writeHead(200, { ...headers, "Content-Type": `${type}; charset=utf-8` }).end(text);
    return true;
  };
}

/** Whether a mock has an access file: its callers have to prove who they are, or it holds objects that calls name. */
export function hasAccess(model: ServiceModel): boolean {
  return hasCallers(model) || model.resources.some(({ samples }) => samples.length > 0);
}

/** Whether callers of a mock have to prove who they are. */
export function hasCallers(model: ServiceModel): boolean {
  return protocolOf(model).isSigned || model.schemes.length > 0;
}

/** Reads who may call: the file that `ledger-rpc conform --access` takes too. @throws Error with every mistake in it */
export function readMockAccess(model: ServiceModel, path: string): Access {
  return toolsOf(model).readAccess(model, path);
}

/** An access file for a mock, as JSON: one caller with new keys, and an object of each kind. */
export function newMockAccess(model: ServiceModel): object {
  return toolsOf(model).newAccess(model, samplesOf(model));
}

/**
 * Identifiers by the names of the samples that payloads name: those of the spec's examples, and new ones where no example
 * has any.
 */
function samplesOf(model: ServiceModel): Samples {
  const reading = readingOf(model);
  const found = new Map<string, Identifier>();
  const take = (shape: Shape, value: unknown): void =>
    visit(model, shape, value, ({ identifies, refersTo }, identifier) => {
      const sample = identifies ?? refersTo;
      if (sample !== undefined && identifier !== "" && !found.has(sample)) found.set(sample, identifier);
    });
  for (const { payload, result, examples } of model.methods)
    for (const example of examples.filter(({ error }) => error === undefined)) {
      for (const shape of payloadShapes(payload)) take(shape, example.payload);
      take(result, example.result);
    }
  const named = shapesOfSamples(
    model.methods.flatMap(({ payload }) => payloadShapes(payload)),
    reading,
  );
  const names = model.resources.flatMap(({ samples }) => samples.map(({ name }) => name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const shapes = named.get(name);
      if (shapes === undefined) return [];
      return [
        [name, found.get(name) ?? identifierOf(shapes, reading, drawn(randomInt(2 ** 32), name))] as const,
      ];
    }),
  );
}
