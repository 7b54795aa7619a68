import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface Received {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The members of `params.api`, if the body is an envelope. */
  readonly api: Readonly<Record<string, string>>;
  /** The request's id, if the body is an envelope. */
  readonly id: string;
  /** The text of the payload within the body. */
  readonly payload: string;
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: Received) => void;

/** A service over a real socket that answers requests as it is told to, one after the other; the last for good. */
export interface ScriptedService {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  will(...answers: readonly Answer[]): void;
  stop(): void;
}

export async function startScriptedService(): Promise<ScriptedService> {
  const received: Received[] = [];
  let script: Answer[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { id = "", params = {} } = JSON.parse(body);
    const payload = body.includes('"payload":') ? body.slice(body.indexOf('"payload":') + 10, -2) : body;
    const one = { url: request.url, headers: request.headers, body, api: params.api ?? {}, id, payload };
    // A request that its caller has given up may arrive all the same; it counts no more.
    await nextTurn();
    await nextTurn();
    if (request.socket.destroyed || request.socket.readableEnded) return;
    received.push(one);
    const answer = script.length > 1 ? script.shift() : script[0];
    answer?.(response, one);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    will(...answers) {
      received.length = 0;
      script = [...answers];
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers with a result; a text stands for itself. */
export function result(value: object | string): Answer {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (response, { id }) => response.end(`{"id":${JSON.stringify(id)},"result":${text}}`);
}

/** Answers with an error. */
export function refusal(
  code: string,
  message = code,
  data: object = {},
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Answer {
  return (response, { id }) => {
    const error = { code, message, data };
    response.writeHead(status, headers).end(JSON.stringify({ id, error, jsonrpc: "2.0" }));
  };
}

/** Answers with any status and body. */
export function page(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Breaks the line without a byte of answer. */
export const hangUp: Answer = (response) => response.destroy();

/** Never answers. */
export const silence: Answer = () => {};
