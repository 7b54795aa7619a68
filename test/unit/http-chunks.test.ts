import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createWorkLimiter } from "../../runtime/http/index.ts";
import { answering, dial, serve, until } from "./http-harness.ts";

const head =
  "POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
const count = 40_000;
const oneByteChunks = "1\r\n \r\n".repeat(count);

test("bodies that come byte by byte take turns with the requests of others", async () => {
  const { service } = await serve({ pipeline: answering });
  const other = await dial(service.port);
  const slow = await Promise.all(Array.from({ length: 8 }, () => dial(service.port)));
  for (const { socket } of slow) socket.write(head + oneByteChunks);
  for (let asked = 1; asked <= 5; asked += 1) {
    other.socket.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
    await until(() => other.received().split("200 OK").length > asked);
  }
  // Some slices of each: without turns, all 320,000.
  expect(service.load().bodyBytes).toBeLessThan(150_000);
  for (const { socket } of slow) socket.write("2\r\n{}\r\n0\r\n\r\n");
  for (const each of slow) await each.until('{"done":true}');
});

test("a caller whose connection comes after many others waits for little of such bodies", async () => {
  const { service } = await serve({ pipeline: answering });
  const slow = await Promise.all(Array.from({ length: 8 }, () => dial(service.port)));
  for (const { socket } of slow) socket.write(head + oneByteChunks);
  const others = Array.from({ length: 100 }, () => connect(service.port, "127.0.0.1"));
  const last = await dial(service.port);
  last.socket.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
  await last.until("200 OK");
  expect(service.load().bodyBytes).toBeLessThan(150_000);
  for (const socket of [...others, ...slow.map((each) => each.socket)]) socket.destroy();
});

test("such a body takes the memory of its bytes, and the account of unfinished bodies has all of it", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const memory = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const work = createWorkLimiter();
  const { service } = await serve({ pipeline: answering, work });
  const { socket } = await dial(service.port);
  socket.write(head);
  const before = memory();
  socket.write(oneByteChunks);
  await until(() => work.load().bodyBytes >= count);
  const held = work.load().bodyBytes;
  expect(held).toBeLessThanOrEqual(2 * count);
  // The test's own text of 240,000 bytes may still be on its way.
  expect(memory() - before).toBeLessThan(held + 1_000_000);
  socket.destroy();
  await once(socket, "close");
  await until(() => work.load().bodyBytes === 0);
});
