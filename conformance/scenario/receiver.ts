import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";

/** In each address: what a service that prints it anew may lose. */
const query = "?tenant=a%2Fb&of=1+2";

/** A notification as it arrived. */
export interface Arrival {
  /** Path and query that it was sent to. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: number;
}

/** The suite's own receiver of events: one address for each who asks. */
export interface Receiver {
  /** A new address, which answers its first so many notifications with 503. */
  open(refuses?: number): Promise<Inbox>;
  /** Paths and queries that something was posted to and that name no address, the first few: a service lost the path. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

export interface Inbox {
  readonly url: string;
  /** Path and query of `url`, as they have to arrive. */
  readonly target: string;
  readonly arrivals: readonly Arrival[];
  /**
   * Waits until something arrives after the first so many, or until the time is over: gives what is left of it. Time in
   * which this process did not run itself, because it was stopped or the machine is busy, does not count.
   */
  next(count: number, timeoutMs: number): Promise<number>;
}

interface Box {
  readonly arrivals: Arrival[];
  readonly refuses: number;
  wake: () => void;
}

const bodyBytesMax = 1_000_000;
const straysMax = 10;
/** How an address is named. One of an earlier run is no stray: the service does not know that it is gone. */
const boxName = /^inbox-\d+$/;
/** A wait that takes longer than this was held up by the machine. */
const sliceMs = 100;

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** The name of the inbox that an address means, also where it was changed on the way. */
function nameIn(target: string): string {
  return target.split("?")[0]?.split("/").at(-1)?.toLowerCase() ?? "";
}

export interface ReceiverOptions {
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** The address under which the service reaches it; absent: the loopback address. */
  readonly publicUrl?: string;
}

/** Opens addresses of one server, which listens from the first one on. */
export function createReceiver({ port, publicUrl }: ReceiverOptions): Receiver {
  const boxes = new Map<string, Box>();
  const strays: string[] = [];
  let listening: Promise<{ readonly server: Server; readonly base: string }> | undefined;

  async function listen(): Promise<{ readonly server: Server; readonly base: string }> {
    const server = createServer((request, response) => receive({ boxes, strays }, request, response));
    server.listen(port, publicUrl === undefined ? "127.0.0.1" : undefined);
    await once(server, "listening");
    server.unref();
    const address = server.address();
    const own = typeof address === "object" && address !== null ? address.port : port;
    return { server, base: (publicUrl ?? `http://127.0.0.1:${own}`).replace(/\/$/, "") };
  }

  return {
    strays,
    async open(refuses = 0) {
      listening ??= listen();
      const { base } = await listening;
      const name = `Inbox-${boxes.size + 1}`;
      const box: Box = { arrivals: [], refuses, wake() {} };
      boxes.set(name.toLowerCase(), box);
      return inboxOf(box, `${base}/${name}${query}`);
    },
    async close() {
      if (listening === undefined) return;
      const { server } = await listening;
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers a notification and puts it into its box. */
function receive(
  { boxes, strays }: { readonly boxes: ReadonlyMap<string, Box>; readonly strays: string[] },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const target = request.url ?? "";
  const name = nameIn(target);
  const box = boxes.get(name);
  if (request.method === "POST" && !boxName.test(name) && strays.length < straysMax) strays.push(target);
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyBytesMax) chunks.push(chunk);
  });
  request.on("end", () => {
    // An unknown address is gone: the service need not try again.
    const isRefused = box !== undefined && box.arrivals.length < box.refuses;
    response.writeHead(box === undefined ? 410 : isRefused ? 503 : 200, { "content-length": 0 }).end();
    if (box === undefined || request.method !== "POST") return;
    const body = Buffer.concat(chunks);
    box.arrivals.push({
      target,
      headers: request.headers,
      body,
      atMs: performance.now(),
    });
    box.wake();
  });
}

function inboxOf(box: Box, url: string): Inbox {
  return {
    url,
    target: targetOf(url),
    arrivals: box.arrivals,
    async next(count, timeoutMs) {
      let leftMs = timeoutMs;
      while (box.arrivals.length <= count && leftMs > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const startedAt = performance.now();
        box.wake = resolve;
        const timer = setTimeout(resolve, Math.min(leftMs, sliceMs));
        await promise;
        clearTimeout(timer);
        leftMs -= Math.min(performance.now() - startedAt, sliceMs);
      }
      return leftMs;
    },
  };
}
