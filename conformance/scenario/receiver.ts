import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { once } from "node:events";

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
  close(): Promise<void>;
}

export interface Inbox {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Waits until something arrives after the first so many, or until the time is over. */
  next(count: number, timeoutMs: number): Promise<boolean>;
}

interface Box {
  readonly arrivals: Arrival[];
  readonly refuses: number;
  wake: () => void;
}

const bodyBytesMax = 1_000_000;

export interface ReceiverOptions {
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** The address under which the service reaches it; absent: the loopback address. */
  readonly publicUrl?: string;
}

// oxlint-disable-next-line max-lines-per-function -- every part reads or changes what has been received
export function createReceiver({ port, publicUrl }: ReceiverOptions): Receiver {
  const boxes = new Map<string, Box>();
  let listening: Promise<{ readonly server: Server; readonly base: string }> | undefined;

  async function listen(): Promise<{ readonly server: Server; readonly base: string }> {
    const server = createServer((request, response) => {
      const box = boxes.get((request.url ?? "").split("?")[0]?.split("/").at(-1) ?? "");
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
          target: request.url ?? "",
          headers: request.headers,
          body,
          atMs: performance.now(),
        });
        box.wake();
      });
    });
    server.listen(port, publicUrl === undefined ? "127.0.0.1" : undefined);
    await once(server, "listening");
    server.unref();
    const address = server.address();
    const own = typeof address === "object" && address !== null ? address.port : port;
    return { server, base: (publicUrl ?? `http://127.0.0.1:${own}`).replace(/\/$/, "") };
  }

  return {
    async open(refuses = 0) {
      listening ??= listen();
      const { base } = await listening;
      const name = `inbox-${boxes.size + 1}`;
      const box: Box = { arrivals: [], refuses, wake() {} };
      boxes.set(name, box);
      return {
        url: `${base}/${name}`,
        arrivals: box.arrivals,
        async next(count, timeoutMs) {
          const endsAt = performance.now() + timeoutMs;
          while (box.arrivals.length <= count) {
            const leftMs = endsAt - performance.now();
            if (leftMs <= 0) return false;
            const { promise, resolve } = Promise.withResolvers<void>();
            box.wake = resolve;
            const timer = setTimeout(resolve, leftMs);
            await promise;
            clearTimeout(timer);
          }
          return true;
        },
      };
    },
    async close() {
      if (listening === undefined) return;
      const { server } = await listening;
      server.close();
      server.closeAllConnections();
    },
  };
}
