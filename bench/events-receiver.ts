/** The receiver of `bench/events.ts`: a process of its own that answers 200 and says when it had so many. */
import { createServer } from "node:http";

let times: number[] = [];
let expected = Infinity;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    times.push(performance.timeOrigin + performance.now());
    response.writeHead(200, { "Content-Length": 2 }).end("ok");
    report();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : address);
});

process.on("message", (count: number) => {
  expected = count;
  report();
});

function report(): void {
  if (times.length < expected) return;
  const received = times;
  times = [];
  expected = Infinity;
  process.send?.(received);
}
