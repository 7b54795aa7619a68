import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { gatherBytes } from "../../runtime/transport/connections/gather.ts";
import { createConnectionBurst, createWorkLimiter } from "../../runtime/transport/http/index.ts";
import { answering, dial, serve, until } from "./http-harness.ts";

const head =
  "POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
const count = 20_000;
const oneByteChunks = "1\r\n \r\n".repeat(count);

test("bodies that come byte by byte take turns with the requests of others", async () => {
  const { service } = await serve({ pipeline: answering });
  const other = await dial(service.port);
  const slow = await Promise.all(Array.from({ length: 8 }, () => dial(service.port)));
  for (const { socket } of slow) socket.write(head + oneByteChunks);
  for (let asked = 1; asked <= 5; asked += 1) {
    const answered = once(other.socket, "data");
    other.socket.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
    await answered;
  }
  expect(other.received().split("200 OK")).toHaveLength(6);
  // Some slices of each: without turns, all of them.
  expect(service.load().bodyBytes).toBeLessThan(slow.length * count);
  for (const { socket } of slow) socket.write("2\r\n{}\r\n0\r\n\r\n");
  for (const each of slow) await each.until('{"done":true}');
});

test("a caller whose connection comes after many others waits for little of such bodies", async () => {
  // Time stands still: how long others may be kept waiting is not the question here.
  const { service } = await serve({ pipeline: answering, burst: createConnectionBurst(() => 0) });
  const slow = await Promise.all(Array.from({ length: 8 }, () => dial(service.port)));
  for (const { socket } of slow) socket.write(head + oneByteChunks);
  const others = Array.from({ length: 100 }, () => connect(service.port, "127.0.0.1"));
  const last = await dial(service.port);
  last.socket.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
  await last.until("200 OK");
  expect(service.load().bodyBytes).toBeLessThan(slow.length * count);
  for (const socket of [...others, ...slow.map((each) => each.socket)]) socket.destroy();
});

test("such a body takes the memory of its bytes, and the account of unfinished bodies has all of it", async () => {
  const work = createWorkLimiter();
  const { service } = await serve({ pipeline: answering, work });
  const { socket } = await dial(service.port);
  socket.write(head + oneByteChunks);
  await until(() => work.load().bodyBytes >= count);
  expect(work.load().bodyBytes).toBeLessThanOrEqual(2 * count);
  socket.destroy();
  await once(socket, "close");
  await until(() => work.load().bodyBytes === 0);
});

test("of the pieces that were gathered none is kept", () => {
  const gathered = gatherBytes();
  // As Node reads them: a small part of a large buffer.
  const block = new Uint8Array(65_536).fill(1);
  for (let at = 0; at < 100; at += 1) gathered.add(block.subarray(at, at + 1));
  block.fill(2);
  expect([...gathered.whole()]).toEqual(Array.from({ length: 100 }, () => 1));
  expect(gathered).toMatchObject({ length: 100, held: 128 });
});
