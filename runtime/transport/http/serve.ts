import type { RequestListener, Server } from "node:http";
import { isLoopback } from "../../contract/address.ts";
import { omitUndefined } from "../../contract/index.ts";
import { anyName } from "./refusals.ts";
import { type Drained, type PortState, type ServerLimits, guardedServer } from "./server.ts";

export interface ServeOptions extends ServerLimits {
  /** 0 takes a free one. */
  readonly port: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Names that requests may be for, such as `api.example`, beside `localhost` and the address that the server listens on; others are
   * answered 421. `*`: any. Default: none where it listens on a loopback address, else any.
   */
  readonly names?: readonly string[];
}

/** An app that answers. */
export interface ServedApp {
  /** `http://127.0.0.1:3000`. */
  readonly url: string;
  /** For `rpcWebSocket(service).attach(server)`. */
  readonly server: Server;
  /** Connections open now, those of WebSockets not included. */
  connections(): number;
  /**
   * Takes no new connection, answers everything that has arrived, and waits for WebSockets to close. It cuts off the
   * rest after `graceMs`, by default 10,000.
   */
  close(graceMs?: number): Promise<Drained>;
}

/**
 * Serves an app on a port of its own, such that no caller keeps others out: `await serve(app, { port: 3000 })`. Requests
 * of one connection are begun two at a time, and those who hold a place without a use for it give way.
 *
 * Rejects if the port cannot be had.
 */
export async function serve(app: RequestListener, options: ServeOptions): Promise<ServedApp> {
  const { port: wanted, host = "127.0.0.1", names = defaultNames(host), ...limits } = options;
  const guarded = guardedServer({
    limits: omitUndefined(limits),
    names,
    app: (port) => closingBy(port, app),
    refuse(request, response) {
      request.resume();
      response.writeHead(503, { ...unavailable.headers, "Content-Length": 0, Connection: "close" }).end();
    },
    errorResponse: () => unavailable,
  });
  const port = await guarded.listen(host, wanted);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    server: guarded.server,
    connections: guarded.connections,
    close: (graceMs = 10_000) => guarded.close(graceMs),
  };
}

/** Pages of other names reach loopback addresses by DNS rebinding; others they reach without it. */
function defaultNames(host: string): readonly string[] {
  return host === "localhost" || isLoopback(host) ? [] : [anyName];
}

const unavailable = { status: 503, headers: { "Retry-After": "1" }, body: "" } as const;

/** Ends each connection with its last answer once the port is closing: a caller that goes on asking would keep it open. */
function closingBy(port: PortState, app: RequestListener): RequestListener {
  const answerClosing = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    if (await port.isLast(request)) response.setHeader("Connection", "close");
    app(request, response);
  };
  return (request, response) => {
    if (port.closing) void answerClosing(request, response);
    else app(request, response);
  };
}
