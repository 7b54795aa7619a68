import type { ResponseLike } from "../exchange.ts";
import { limited } from "../limited.ts";
import type { HeaderTexts } from "../observe.ts";
import type { Scheme } from "./authorizer.ts";
import {
  type ClientOptions,
  connect,
  type Connection,
  type Outgoing,
  type Prepared,
  type Transport,
} from "./connection.ts";
import type { Method } from "./method.ts";
import { carriedBy, type Listener, type Pending, pending } from "./pending.ts";

/** The options of a client over a WebSocket, but for its credentials. */
export interface SocketOptions extends Omit<ClientOptions, "fetch" | "url"> {
  /** `wss://api.example.com/rpc`. */
  readonly url: string;
  /** Opens a WebSocket in place of the global class: where headers have to be sent by a library of its own, say. */
  readonly open?: (url: string, headers: HeaderTexts) => SocketLike;
  /** Called whenever a connection is open: subscribe here to what the service tells, for a new connection knows nothing. */
  readonly onOpen?: () => void;
}

/** The part of a WebSocket that the client needs. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: { readonly data?: unknown; readonly code?: number; readonly reason?: string }) => void,
  ): void;
}

/** One WebSocket at a time, opened when it is needed. Its handshake says who calls. */
export interface SocketTransport extends Transport {
  /** Opens the connection and keeps it open, so that notifications arrive. Gives a function that ends listening. */
  on(name: string, listener: Listener): () => void;
  /** Ends the connection for good, and with it every call that waits. */
  close(): void;
}

/** Carries calls over a WebSocket. One that is lost is opened again by the next call, or at once where there are listeners. */
export function socketTransport(
  socketOptions: SocketOptions,
  prepared: Prepared,
  methods: readonly Method[],
): SocketTransport {
  const expected = pending();
  const url = new URL(prepared.options.url.replace(/^http/, "ws"));
  let current: Promise<SocketLike> | undefined;
  let headers: HeaderTexts = {};
  let isClosed = false;
  const isWanted = () => !isClosed && expected.isHeard();
  const reopening = delayed(isWanted, () => authorized().then(opened, reopening.later).catch(unneeded));

  const authorized = async (): Promise<undefined> => {
    if (!current) headers = await handshakeHeaders(url, prepared, methods);
  };

  const opened = (): Promise<SocketLike> => {
    if (isClosed) return Promise.reject(new Error("the client was closed"));
    current ??= dial(socketOptions, url, headers).then(started, (cause: unknown) => {
      lost(new Error("no connection", { cause }));
      throw cause;
    });
    return current;
  };

  const started = (socket: SocketLike): SocketLike => {
    reopening.reset();
    receive(socket, expected, prepared);
    socket.addEventListener("close", ({ code, reason }) => lost(closing(code, reason)));
    if (isClosed) socket.close();
    else socketOptions.onOpen?.();
    return socket;
  };

  function lost(reason: Error): void {
    current = undefined;
    expected.fail(reason);
    reopening.later();
  }

  return {
    authorize(_url, _init, request) {
      prepared.authorizer.check(request.methods);
      return authorized();
    },
    fetch: async (_url, { signal }, request) => await sendOver(await opened(), expected, request, signal),
    on(name, listener) {
      const end = expected.listen(name, listener);
      reopening.now();
      return end;
    },
    close() {
      isClosed = true;
      reopening.stop();
      void current?.then((socket) => socket.close(), unneeded);
      lost(new Error("the client was closed"));
    },
  };
}

/** Does something now or, where it is wanted, after a random wait that grows until it is reset. */
function delayed(isWanted: () => boolean, now: () => unknown) {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    now,
    later() {
      clearTimeout(timer);
      if (isWanted()) timer = setTimeout(now, Math.random() * Math.min(5000, 200 * 2 ** failures++));
    },
    reset: () => void (failures = 0),
    stop: () => clearTimeout(timer),
  };
}

async function sendOver(
  socket: SocketLike,
  expected: Pending,
  { ids, text }: Outgoing,
  signal?: AbortSignal | null,
): Promise<ResponseLike> {
  signal?.throwIfAborted();
  const answer = Promise.resolve(ids.length > 0 ? expected.wait(ids, signal) : carriedBy(""));
  // Where sending throws, nothing else waits for it.
  answer.catch(unneeded);
  socket.send(text);
  return await answer;
}

/** A failure that the next call meets again. */
function unneeded(): void {}

function receive(socket: SocketLike, expected: Pending, { answerBytesMax }: Prepared): void {
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string" && data.length <= answerBytesMax) expected.take(data);
    else socket.close(4009, "a message that is binary or too large");
  });
}

/** The headers of a handshake, with credentials for as many methods as one can carry. */
async function handshakeHeaders(
  url: URL,
  { options, authorizer }: Prepared,
  methods: readonly Method[],
): Promise<HeaderTexts> {
  const headers = { ...options.headers, ...(await options.authorize?.(url.href)) };
  const request = { httpMethod: "GET", url, headers, body: new Uint8Array() } as const;
  return { ...headers, ...(await authorizer.headersFor(authorizer.covered(methods), request)) };
}

async function dial(
  { open = openSocket, attemptTimeoutMs = 15_000 }: SocketOptions,
  url: URL,
  headers: HeaderTexts,
): Promise<SocketLike> {
  const socket = open(url.href, headers);
  const whole = () =>
    new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", () => reject(new Error("the connection failed")));
      socket.addEventListener("close", ({ code, reason }) => reject(closing(code, reason)));
    });
  await limited(attemptTimeoutMs, undefined, whole).catch((error: unknown) => {
    socket.close();
    throw error ?? new Error("the handshake took too long");
  });
  return socket;
}

function closing(code = 0, reason = ""): Error {
  return new Error(`the connection was closed (${[code, reason].filter(Boolean).join(", ")})`);
}

/** A WebSocket with headers: in Node, Deno and Bun. A browser's sends none. */
function openSocket(url: string, headers: HeaderTexts): SocketLike {
  if (typeof WebSocket === "undefined") throw new TypeError("no WebSocket here: give `open`");
  if (Object.keys(headers).length === 0) return new WebSocket(url);
  if ("document" in globalThis || "importScripts" in globalThis) {
    throw new TypeError("a browser's WebSocket sends no headers: let a cookie say who calls, or give `open`");
  }
  const socket: SocketLike = Reflect.construct(WebSocket, [url, { headers }]);
  return socket;
}

/** The connection of a client over a WebSocket. */
export interface SocketConnection extends Pick<SocketTransport, "on" | "close"> {
  readonly connection: Connection;
}

/** Prepares calls over a WebSocket. Throws a `TypeError` for options that cannot work. */
export function connectSocket(
  given: SocketOptions & { readonly auth?: object },
  schemes: Readonly<Record<string, Scheme>>,
  operations: readonly { readonly method: Method }[],
): SocketConnection {
  const methods = operations.map(({ method }) => method);
  let transport: SocketTransport | undefined;
  const connection = connect(given, schemes, (prepared) => {
    transport = socketTransport(given, prepared, methods);
    return transport;
  });
  if (!transport) throw new TypeError("no transport");
  return { connection, on: transport.on, close: transport.close };
}
