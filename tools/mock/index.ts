import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../conformance/message-of.ts";
import { rpcStdio } from "../../runtime/transport/stdio/index.ts";
import { createHostCheck, misdirected, setHostCheck } from "../../runtime/transport/http/refusals.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import type { Access } from "../../conformance/request/access.ts";
import type { MethodModel, ServiceModel } from "../../generator/model/service-model.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { mockOf } from "../protocols/mocks.ts";
import { createMockEvents } from "./events/index.ts";
import { injectedFaultOf, mockHeaders, sendFault, type FaultOptions } from "./faults.ts";
import { createObjects } from "./objects.ts";
import { createPageHandler, type MockPages } from "./pages.ts";
import { randomNumbers } from "./random.ts";

export { hasAccess, hasCallers, newMockAccess, readMockAccess } from "./access.ts";
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
  const random = randomNumbers(seed);
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
