import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Access } from "../../conformance/request/access.ts";
import type { MethodModel, ServiceModel } from "../model/service-model.ts";
import { namedErrors } from "../model/standard-errors.ts";
import { envelopeMock } from "./envelope/index.ts";
import { createMockEvents } from "./events/index.ts";
import { injectedFaultOf, mockHeaders, sendFault, type FaultOptions } from "./faults.ts";
import { createObjects } from "./objects.ts";
import { randomNumbers } from "./random.ts";
import type { MockHandler } from "./served-mock.ts";
import { standardMock } from "./standard.ts";

export { hasCallers, newMockAccess, readMockAccess } from "./access.ts";
export { eventsPath, type EventLine, type EventsHead, type OrderedEvent } from "./events/index.ts";
export { faultKinds, type FaultKind } from "./faults.ts";

export interface MockOptions extends FaultOptions {
  /** Who may call, and which objects there are; absent: every caller. */
  readonly access?: Access;
  /** Errors that calls of a method are answered with, by the name of the method. */
  readonly errors: ReadonlyMap<string, string>;
  /** Of the values in answers, and of the random numbers that decide what befalls a request. */
  readonly seed: number;
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
  const handle: MockHandler =
    wire.protocol === "signed-envelope"
      ? envelopeMock(access, served)
      : standardMock(wire, access === undefined ? undefined : (access.credentials ?? {}), served);
  const names = errorNames(model);
  const random = randomNumbers(seed);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (events?.handle(request, response) === true) return;
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

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, `The mock has failed: ${reason}`);
    });
  });
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
