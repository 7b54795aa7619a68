/**
 * The receiver of the events benches: a process of its own that answers 200 and says when it had so many. What is sent
 * to `/hang` is never answered. As in production it speaks TLS and verifies what it gets, as docs/events.md shows.
 */
import { createServer as createHttpServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { Webhook } from "standardwebhooks";

/** The first message; the second and those that follow say how many receipts are waited for. */
export interface ReceiverSettings {
  /** Absent: it speaks plain http and verifies nothing. */
  readonly production?: {
    readonly secret: string;
    /** PEM, as the certificate. */
    readonly key: string;
    readonly certificate: string;
  };
}

const eventIdAt = /"eventId":"([^"]*)"/;
let receipts: { readonly timeMs: number; readonly eventId: string }[] = [];
let expected = Infinity;

process.once("message", ({ production }: ReceiverSettings) => {
  const webhook = production && new Webhook(production.secret);
  const receive: RequestListener = (request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.url === "/hang") return;
      webhook?.verify(body, webhookHeaders(request.headers));
      response.writeHead(200, { "Content-Length": 2 }).end("ok");
      const [, eventId = ""] = eventIdAt.exec(body) ?? [];
      receipts.push({ timeMs: performance.timeOrigin + performance.now(), eventId });
      report();
    });
  };
  const server =
    production === undefined
      ? createHttpServer(receive)
      : createHttpsServer({ key: production.key, cert: production.certificate }, receive);
  server.keepAliveTimeout = 60_000;
  // Any loopback address counts as an endpoint of its own.
  server.listen({ host: "0.0.0.0", port: 0, backlog: 2_000 }, () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : address);
  });
  process.on("message", (count: number) => {
    expected = count;
    report();
  });
});

// The parent process has ended.
process.on("disconnect", () => process.exit());

function webhookHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const given = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, headers[name]]);
  return Object.fromEntries(given);
}

function report(): void {
  if (receipts.length < expected) return;
  const received = receipts;
  receipts = [];
  expected = Infinity;
  process.send?.(received);
}
