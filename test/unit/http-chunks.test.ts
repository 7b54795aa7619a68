import { once } from "node:events";
import { expect, test } from "vitest";
import { gatherBytes } from "../../runtime/transport/http/bodies.ts";
import { createWorkLimiter } from "../../runtime/operations/http/index.ts";
import { answering, dial, serve, until } from "./http-harness.ts";

const head =
  "POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
const count = 20_000;
const oneByteChunks = "1\r\n \r\n".repeat(count);

test("a body that comes byte by byte takes turns with the requests of others", async () => {
  const { service } = await serve({ pipeline: answering });
  const [slow, other] = [await dial(service.port), await dial(service.port)];
  slow.socket.write(head + oneByteChunks.repeat(4) + "2\r\n{}\r\n0\r\n\r\n");
  await until(() => service.load().bodyBytes > 0);
  for (let asked = 1; asked <= 3; asked += 1) {
    other.socket.write("GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n");
    await until(() => other.received().split("200 OK").length === asked + 1);
  }
  expect(slow.received()).toBe("");
  await slow.until('{"done":true}');
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
