/**
 * The receiver of the events benches: a process of its own that answers 200 and says when it had so many. What is sent
 * to `/hang` is never answered.
 */
import { createServer } from "node:http";

const eventIdAt = /"eventId":"([^"]*)"/;
let receipts: { readonly timeMs: number; readonly eventId: string }[] = [];
let expected = Infinity;

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    if (request.url === "/hang") return;
    response.writeHead(200, { "Content-Length": 2 }).end("ok");
    const [, eventId = ""] = eventIdAt.exec(body) ?? [];
    receipts.push({ timeMs: performance.timeOrigin + performance.now(), eventId });
    report();
  });
});
server.keepAliveTimeout = 60_000;
// Of all loopback addresses: each counts as an endpoint of its own.
server.listen({ host: "0.0.0.0", port: 0, backlog: 2_000 }, () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : address);
});

process.on("message", (count: number) => {
  expected = count;
  report();
});

// Whoever started it is gone.
process.on("disconnect", () => process.exit());

function report(): void {
  if (receipts.length < expected) return;
  const received = receipts;
  receipts = [];
  expected = Infinity;
  process.send?.(received);
}
