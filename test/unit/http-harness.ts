import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach } from "vitest";
import {
  createMetrics,
  serveHttp,
  type HttpOptions,
  type HttpService,
} from "../../runtime/operations/http/index.ts";
import type { Pipeline, RawResponse } from "../../runtime/pipeline/index.ts";

export { patienceMs, until } from "../until.ts";

const open: HttpService[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close(0);
});

export const done: RawResponse = { status: 200, body: '{"done":true}', headers: {}, trace: { method: "Do" } };

/** A pipeline that answers when it is told to. */
export function heldPipeline() {
  const held: (() => void)[] = [];
  const arrived = Promise.withResolvers<void>();
  const pipeline: Pipeline = {
    name: "test",
    revision: "1.2.3",
    path: "/rpc",
    messageBytesMax: 256 * 1024,
    http: { allow: "POST" },
    answer: () =>
      new Promise((resolve) => {
        held.push(() => resolve(done));
        arrived.resolve();
      }),
    refuse: (fault, status, reason) => ({
      status,
      body: `{"fault":"${fault}"}`,
      headers: {},
      trace: { reason },
    }),
  };
  return {
    pipeline,
    arrived: arrived.promise,
    release: () => held.splice(0).forEach((answer) => answer()),
    waiting: () => held.length,
  };
}

export async function serve(options: Partial<HttpOptions> & Pick<HttpOptions, "pipeline">) {
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  const service = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    logger,
    metrics: createMetrics(),
    ready: () => Promise.resolve(),
    ...options,
  });
  open.push(service);
  return { service, lines };
}

export const answering: Pipeline = { ...heldPipeline().pipeline, answer: () => Promise.resolve(done) };

export const call = (body: string, headers = "") =>
  `POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

export interface Dialled {
  readonly socket: Socket;
  received(): string;
  /** Resolves once this was received; rejects if the connection ends before. */
  until(part: string): Promise<void>;
}

/** A socket that remembers what it received. */
export async function dial(
  port: number,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<Dialled> {
  const socket = connect({ port, host: "127.0.0.1", ...options });
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => (text += chunk.toString()));
  await once(socket, "connect");
  return {
    socket,
    received: () => text,
    until: (part) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (text.length >= part.length && text.includes(part)) resolve();
        };
        socket.on("data", look);
        socket.on("close", () => reject(new Error(`closed before ${part}: ${text}`)));
        look();
      }),
  };
}

/** Whether a port takes connections. */
export function dialled(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.on("connect", () => {
      socket.destroy();
      resolve("connected");
    });
    socket.on("error", () => resolve("refused"));
  });
}
