import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../conformance/message-of.ts";
import type { Credentials } from "../../conformance/request/credential.ts";
import { rpcStdio } from "../../runtime/transport/stdio/index.ts";
import { createHostCheck, misdirected, setHostCheck } from "../../runtime/transport/http/refusals.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import type { Access } from "../../conformance/request/access.ts";
import type { MethodModel, ServiceModel } from "../../generator/model/service-model.ts";
import { namedErrors } from "../../generator/model/standard-errors.ts";
import { envelopeMock } from "./envelope/index.ts";
import { createMockEvents } from "./events/index.ts";
import { injectedFaultOf, mockHeaders, sendFault, type FaultOptions } from "./faults.ts";
import { createObjects } from "./objects.ts";
import { createPageHandler, type MockPages } from "./pages.ts";
import { randomNumbers } from "./random.ts";
import { overHttp, standardMock } from "./standard.ts";

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
  const { wire } = model;
  const objects = createObjects(model, access?.samples ?? {});
  // Those of a standard interface come over the connection of the caller.
  const events =
    wire.protocol === "signed-envelope" && model.events.length > 0
      ? createMockEvents({ model, seed, objects }, onEvent)
      : undefined;
  const onResult = (method: MethodModel, result: unknown): void => events?.caused(method, result);
  const served = { model, seed, objects, errors, onCall, onResult };
  const service =
    wire.protocol === "signed-envelope" ? undefined : standardMock(wire, credentialsOf(access), served);
  const handle = service === undefined ? envelopeMock(access, served) : overHttp(service);
  const names = errorNames(model);
  const random = randomNumbers(seed);
  const servePage = options.pages && createPageHandler(options.pages);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (events?.handle(request, response) === true || servePage?.(request, response) === true) return;
    const [pathname] = (request.url ?? "").split("?");
    if (pathname !== model.path && wire.protocol !== "signed-envelope")
      return refuse(response, 404, `The interface is at ${model.path}`);
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
 * caller is taken.
 * @throws Error for an interface of signed envelopes
 */
export async function mockOnStdio(
  model: ServiceModel,
  { errors, seed, onCall = () => undefined }: Pick<MockOptions, "errors" | "seed" | "onCall">,
): Promise<void> {
  const { wire } = model;
  if (wire.protocol === "signed-envelope")
    throw new Error(`${model.name} is an interface of signed envelopes: it is mocked over HTTP`);
  const served = {
    model,
    seed,
    objects: createObjects(model, {}),
    errors,
    onCall,
    onResult: () => undefined,
  };
  await rpcStdio(standardMock(wire, undefined, served)).done;
}

function credentialsOf(access: Access | undefined): Credentials | undefined {
  return access === undefined ? undefined : (access.credentials ?? {});
}

/** The errors that a caller may ask for. */
function errorNames(model: ServiceModel): readonly string[] {
  const { wire } = model;
  return wire.protocol === "signed-envelope"
    ? model.errors.map(({ code }) => code)
    : namedErrors(model, wire).map(({ name }) => name);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
