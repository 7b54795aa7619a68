import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiKeys } from "../transcripts/bank.ts";
import { requestBytes } from "../transcripts/request-bytes.ts";
import { startService, type TestService } from "../transcripts/service.ts";
import { fc, runs } from "../seed.ts";
import { dial } from "./http-harness.ts";

const crashes: unknown[] = [];
const noteCrash = (error: unknown): void => void crashes.push(error);
let service: TestService;

beforeAll(async () => {
  process.on("uncaughtException", noteCrash);
  process.on("unhandledRejection", noteCrash);
  service = await startService("standard");
});
afterAll(async () => {
  await service.close();
  process.off("uncaughtException", noteCrash);
  process.off("unhandledRejection", noteCrash);
});

const valid = requestBytes(
  `POST /jsonrpc HTTP/1.1
Host: t
Content-Type: application/json
Authorization: <%credential ana%>
Content-Length: <%length%>

{"method":"AccountService.GetAccount","id":"1","params":{"api":<%api ana%>,"payload":<<{"ID":"account-1"}>>}}`,
);
const headEnd = valid.indexOf("\r\n\r\n") + 4;

/** Sends bytes, in pieces, ends its side, and gives back whatever comes until the server closes the connection. */
function send(pieces: readonly Uint8Array[], destroyEarly: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    for (const piece of pieces) socket.write(piece);
    if (destroyEarly) socket.destroy();
    else socket.end();
  });
}

function withLength(body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      `POST /jsonrpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    ),
    body,
  ]);
}

function mutated(bytes: Buffer, edits: readonly (readonly [number, Uint8Array, number])[]): Buffer {
  return edits.reduce((result, [position, insert, remove]) => {
    const at = position % (result.length + 1);
    return Buffer.concat([result.subarray(0, at), insert, result.subarray(at + remove)]);
  }, bytes);
}

const edits = fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 4 }), fc.nat(3)), {
  minLength: 1,
  maxLength: 4,
});
const jsonNoise = fc.array(
  fc.tuple(
    fc.nat(),
    fc
      .constantFrom(...'{}[]",:\\0-9.eE \u0000é', "null", "\\ud800", '"__proto__":', "1e999")
      .map((text) => Buffer.from(text)),
    fc.nat(12),
  ),
  { minLength: 1, maxLength: 3 },
);
const header = fc.tuple(
  fc.constantFrom(
    "Signature",
    "Signature-Input",
    "Authorization",
    "X-Request-Id",
    "Content-Type",
    "Expect",
    "Transfer-Encoding",
    "Connection",
    "X-Interface-Revision",
  ),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 60,
  }),
);
const traffic = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  edits.map((changes) => mutated(valid, changes)),
  jsonNoise.map((changes) => withLength(mutated(valid.subarray(headEnd), changes))),
  fc.json({ maxDepth: 4 }).map((text) => withLength(Buffer.from(text))),
  header.map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`POST /jsonrpc HTTP/1.1\r\n${name}: ${value}\r\n`, "latin1"),
      valid.subarray(valid.indexOf("\r\n") + 2),
    ]),
  ),
  fc.nat(valid.length).map((length) => valid.subarray(0, length)),
  fc.constant(Buffer.concat([valid, valid, valid])),
);

/** Refusals that are not the service's fault: a transfer coding or HTTP version that it does not speak. */
const ofTheRequest = [501, 505];

test("nothing that arrives crashes the service, is its own fault by its answer, or reaches the log", async () => {
  await fc.assert(
    fc.asyncProperty(traffic, fc.nat(), fc.boolean(), async (bytes, cut, destroyEarly) => {
      const at = cut % (bytes.length + 1);
      const received = await send([bytes.subarray(0, at), bytes.subarray(at)], destroyEarly);
      for (const [, status] of received.matchAll(/^HTTP\/1\.1 (\d{3})/gm))
        expect(ofTheRequest.includes(Number(status)) ? 400 : Number(status)).toBeLessThan(500);
      expect(received).not.toContain('"INTERNAL"');
    }),
    { numRuns: runs(400) },
  );
  const caller = await dial(service.port);
  caller.socket.write(valid);
  await caller.until('"result"');
  caller.socket.destroy();
  expect(crashes).toEqual([]);
  const logged = service.logged();
  expect(logged).not.toContain("unexpectedly");
  for (const secret of [...Object.values(apiKeys), "Basic", "account-1", "Example Ltd"]) {
    expect(logged).not.toContain(secret);
  }
});
