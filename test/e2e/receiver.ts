import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";

/** What a receiver was sent. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's exact bytes, as text. */
  readonly body: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into notifications of every shape
  readonly json: any;
}

/** An endpoint over a real socket, written from the contract and Standard Webhooks alone. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** Resolves once so many were received. */
  until(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export type Respond = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

const ok: Respond = (_request, response) => {
  response.writeHead(204).end();
};

export async function startReceiver(respond: Respond = ok): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const one = { path: request.url ?? "", headers, body, json: JSON.parse(body) };
      received.push(one);
      respond(request, response, one);
      for (const check of waiting) check();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
