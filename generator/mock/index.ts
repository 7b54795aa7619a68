import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { rpc } from "../../rpc/express.ts";
import { RpcError } from "../../runtime/contract/index.ts";
import type { JsonRpcWireModel, ServiceModel } from "../model/service-model.ts";
import { answerOf, sampleOf } from "./answers.ts";
import { mockDescriptor } from "./descriptor.ts";

export interface MockOptions {
  /** Errors that calls of a method are answered with, by the name of the method. */
  readonly errors: ReadonlyMap<string, string>;
  /** Milliseconds that every answer is held back. */
  readonly latencyMs: number;
  /** The share of requests whose connection is closed without an answer, 0 to 1. */
  readonly dropped: number;
  /** Of the random numbers that decide which these are. */
  readonly seed: number;
  readonly onCall?: (method: string, answer: string) => void;
}

/** A service of a standard interface that keeps nothing and answers from the spec. The caller lets it listen. */
export function createMock(model: ServiceModel, wire: JsonRpcWireModel, options: MockOptions): Server {
  const descriptor = mockDescriptor(model, wire);
  const { errors, latencyMs, onCall } = options;
  const handlers = Object.fromEntries(
    model.methods.map((method) => [
      method.name,
      async (params: object): Promise<unknown> => {
        if (latencyMs > 0) await sleep(latencyMs);
        const asked = errors.get(method.name);
        const answer =
          asked === undefined ? answerOf(model, method, params) : ({ kind: "error", name: asked } as const);
        onCall?.(method.name, answer.kind === "error" ? answer.name : "result");
        if (answer.kind === "result") return answer.value;
        const data = model.errors.find(({ code }) => code === answer.name)?.data;
        throw new RpcError(
          answer.name,
          data === undefined ? {} : { data: { ...objectIn(sampleOf(model, data)) } },
        );
      },
    ]),
  );
  const handle = rpc(descriptor, handlers);
  const random = randomNumbers(options.seed);
  return createServer((request, response) => {
    if (random() < options.dropped) {
      request.socket.destroy();
      return;
    }
    const { pathname } = new URL(request.url ?? "/", "http://mock");
    if (pathname === model.path) handle(request, response, () => response.writeHead(404).end());
    else response.writeHead(404, { "Content-Type": "text/plain" }).end(`The interface is at ${model.path}\n`);
  });
}

function objectIn(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
