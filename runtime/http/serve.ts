import { createServer, STATUS_CODES, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { bodyBytesMax } from "../pipeline/index.ts";
import { createApp } from "./app.ts";
import type { HttpOptions } from "./options.ts";
import { createRpcEndpoint } from "./rpc-endpoint.ts";
import { createTraffic, type Traffic } from "./traffic.ts";

export interface HttpService {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connection, answers 503 to new requests on open ones, and resolves when those in flight have been
   * answered, or after `graceMs` (default 10,000) when the rest is cut off.
   */
  close(graceMs?: number): Promise<void>;
}

/** Serves one pipeline on one port: calls by the endpoint, everything else by the Express application. Rejects if the port cannot be had. */
export async function serveHttp(options: HttpOptions): Promise<HttpService> {
  const { host, pipeline, metrics, limits = {} } = options;
  const { path, formerPaths } = pipeline;
  const traffic = createTraffic();
  const app = createApp(options, traffic);
  const call = createRpcEndpoint(options, traffic);
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs ?? 10_000,
      requestTimeout: limits.requestTimeoutMs ?? 30_000,
      keepAliveTimeout: limits.keepAliveTimeoutMs ?? 65_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      noDelay: true,
    },
    (request, response) => {
      if (isCall(request, path) || formerPaths?.some((former) => isCall(request, former)) === true)
        void call(request, response);
      else app(request, response);
    },
  );
  if (limits.connectionsMax !== undefined) server.maxConnections = limits.connectionsMax;
  let open = 0;
  server.on("connection", (socket) => {
    metrics.connections(pipeline.name, (open += 1));
    socket.on("close", () => metrics.connections(pipeline.name, (open -= 1)));
  });
  server.on("clientError", refuseConnection);
  server.on("checkContinue", (request, response) => {
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    if (declaredBytes <= bodyBytesMax) response.writeContinue();
    server.emit("request", request, response);
  });
  const port = await listen(server, host, options.port);
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${hostInUrl}:${port}`,
    port,
    close: (graceMs = 10_000) => closeServer(server, traffic, graceMs),
  };
}

/**
 * Whether a request goes to the endpoint. It is told here and not by Express's router, which costs each request a
 * tenth of its signature's verification; Express has everything else.
 */
function isCall({ method, url = "" }: IncomingMessage, path: string): boolean {
  return method === "POST" && (url === path || pathOf(url) === path);
}

/** The path of a request target in origin form, or in the absolute form that proxies send (RFC 9112 §3.2). */
function pathOf(url: string): string | undefined {
  const queryAt = url.indexOf("?");
  const target = queryAt < 0 ? url : url.slice(0, queryAt);
  return target.startsWith("/") ? target : URL.parse(target)?.pathname;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const clientFaults: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What arrived is no HTTP request: say so, as far as there is somebody to hear it, and hang up. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = clientFaults[error.code ?? ""] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function closeServer(server: Server, traffic: Traffic, graceMs: number): Promise<void> {
  traffic.closing = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (traffic.inFlight > 0) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      traffic.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  server.closeIdleConnections();
  const cutOff = setTimeout(() => server.closeAllConnections(), 250);
  await closed;
  clearTimeout(cutOff);
}
