import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

/** Changes that a proxy may make. */
export interface ProxyHabits {
  /** Response headers, of lower-case names, that it changes, adds or removes. */
  readonly headers?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** What it makes of a body. */
  readonly body?: (plain: Buffer) => Buffer;
  readonly gzip?: boolean;
  /** Sends the body in pieces, without `content-length`. */
  readonly chunked?: boolean;
  /** What it waits for before each response. */
  readonly wait?: () => Promise<unknown>;
  /** Closes the connection after each response. */
  readonly closing?: boolean;
}

export interface Proxy {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Starts a proxy in front of a service. */
export async function startProxy(target: string, habits: ProxyHabits): Promise<Proxy> {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const options = { method: request.method, headers: { ...request.headers, connection: "close" } };
    const outgoing = httpRequest(new URL(request.url ?? "", target), options);
    outgoing.on("error", () => response.destroy());
    outgoing.on("response", async (incoming) => {
      const body = await buffer(incoming);
      const headers = habits.headers?.(incoming.headers) ?? incoming.headers;
      respond(response, incoming.statusCode ?? 502, headers, body, habits);
    });
    outgoing.end(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function respond(
  response: ServerResponse,
  status: number,
  {
    connection: _connection,
    "keep-alive": _keepAlive,
    "transfer-encoding": _encoding,
    ...headers
  }: IncomingHttpHeaders,
  received: Buffer,
  { body: change, gzip, chunked, wait, closing }: ProxyHabits,
): void {
  const plain = change?.(received) ?? received;
  const body = gzip === true ? gzipSync(plain) : plain;
  const { "content-length": _length, ...others } = headers;
  const own = {
    ...others,
    ...(gzip === true ? { "content-encoding": "gzip" } : {}),
    ...(chunked === true ? {} : { "content-length": String(body.length) }),
    ...(closing === true ? { connection: "close" } : {}),
  };
  const send = (): void => {
    response.writeHead(status, own);
    if (chunked !== true) {
      response.end(body);
      return;
    }
    for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7));
    response.end();
  };
  if (wait === undefined) send();
  else void wait().then(send);
}
