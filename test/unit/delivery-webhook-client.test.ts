import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createConnectionPools,
  type ConnectionPools,
} from "../../runtime/events/transport/connection-pools.ts";
import type { AttemptOutcome } from "../../runtime/events/model/attempt-outcome.ts";
import { createWebhookClient, type WebhookClient } from "../../runtime/events/transport/webhook-client.ts";
import { patienceMs, until } from "../until.ts";
import { steppingClock, type SteppingClock } from "./delivery-harness.ts";

/** A receiver's action on a connection: a socket, and the bytes of the first request. */
type Behaviour = (socket: Socket, request: string) => void;

const open = new Set<Server>();
let clock: SteppingClock;
let origins: ConnectionPools;
let sender: WebhookClient;

beforeEach(() => {
  clock = steppingClock();
  origins = createConnectionPools(clock, {
    resolver: { resolve: async () => ["127.0.0.1"] },
    networksAllowed: ["127.0.0.0/8"],
    portsAllowed: [],
    connectTimeoutMs: patienceMs,
  });
  sender = createWebhookClient({ pools: origins, clock, timeoutMs: 15_000 });
});
afterEach(async () => {
  await origins.close();
  for (const server of open) server.close();
  open.clear();
});

/** A receiver that speaks bytes. Sockets end with the test. */
async function receiver(
  behave: Behaviour,
): Promise<{ readonly origin: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let request = "";
    socket.on("data", (chunk: Buffer) => {
      request += chunk.toString("latin1");
      if (!request.endsWith("the body")) return;
      requests.push(request);
      behave(socket, request);
      request = "";
    });
  });
  server.on("close", () => {
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.add(server);
  return { origin: `http://127.0.0.1:${portOf(server)}`, requests };
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const exchange = (origin: string) => ({
  origin,
  path: "/hook?a=b",
  headers: ["x-a", "b"],
  body: Buffer.from("the body"),
});
const send = (origin: string): Promise<AttemptOutcome> => sender.send(exchange(origin));
const answer =
  (text: string): Behaviour =>
  (socket) =>
    void socket.write(text.replaceAll("\n", "\r\n"));

describe("an attempt", () => {
  test("posts the body once and tells how it was answered", async () => {
    const { origin, requests } = await receiver(answer("HTTP/1.1 202 Accepted\nContent-Length: 5\n\nfine!"));
    expect(await send(origin)).toMatchObject({ status: 202, response: "fine!", responseTruncated: false });
    expect(await send(origin)).not.toHaveProperty("failure");
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatch(/^POST \/hook\?a=b HTTP\/1\.1\r\n/);
    expect(requests[0]).toContain("content-length: 8");
  });

  test.each([
    ["HTTP/1.1 500 Oops\nContent-Length: 0\n\n", "status", 500],
    ["HTTP/1.1 404 Nope\nContent-Length: 0\n\n", "status", 404],
    ["HTTP/1.1 410 Gone\nContent-Length: 0\n\n", "gone", 410],
    ["HTTP/1.1 304 Same\nContent-Length: 0\n\n", "redirect", 304],
    ["HTTP/1.1 103 Early Hints\nLink: </>\n\nHTTP/1.1 503 Busy\nContent-Length: 0\n\n", "status", 503],
  ])("answered with %j failed", async (text, failure, status) => {
    const { origin } = await receiver(answer(text));
    expect(await send(origin)).toMatchObject({ failure, status });
  });

  test("never follows a redirect, least of all to a metadata address", async () => {
    const target = await receiver(answer("HTTP/1.1 200 OK\nContent-Length: 0\n\n"));
    for (const location of [`${target.origin}/`, "http://169.254.169.254/latest/meta-data/"]) {
      for (const status of [301, 302, 303, 307, 308]) {
        const { origin } = await receiver(
          answer(`HTTP/1.1 ${status} Moved\nLocation: ${location}\nContent-Length: 0\n\n`),
        );
        expect(await send(origin)).toMatchObject({ failure: "redirect", status });
      }
    }
    expect(target.requests).toEqual([]);
  });

  test("reads what a receiver asks for with Retry-After, where it failed", async () => {
    const { origin } = await receiver(answer("HTTP/1.1 429 Slow\nRetry-After: 7\nContent-Length: 0\n\n"));
    expect(await send(origin)).toMatchObject({ failure: "status", retryAfterMs: 7_000 });
    const fine = await receiver(answer("HTTP/1.1 200 OK\nRetry-After: 7\nContent-Length: 0\n\n"));
    expect(await send(fine.origin)).not.toHaveProperty("retryAfterMs");
  });
});

describe("a hostile receiver", () => {
  test("that resets the connection fails the attempt", async () => {
    const { origin } = await receiver((socket) => socket.resetAndDestroy());
    expect(await send(origin)).toMatchObject({ failure: "connection" });
  });

  test("that hangs up without an answer, or in the middle of one, fails it too", async () => {
    const mute = await receiver((socket) => socket.end());
    expect(await send(mute.origin)).toMatchObject({ failure: "connection" });
    const cut = await receiver((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"));
    expect(await send(cut.origin)).toMatchObject({ failure: "connection", status: 200 });
  });

  test("that is silent is left after the time of the whole exchange", async () => {
    const { origin, requests } = await receiver(() => undefined);
    const outcome = send(origin);
    await until(() => requests.length === 1);
    clock.pass(14_999);
    clock.pass(1);
    expect(await outcome).toMatchObject({ failure: "timeout", durationMs: 15_000 });
  });

  test.for([7_200_000, -7_200_000])(
    "took as long as it took, where the clock is set back by %i ms",
    async (ms) => {
      const { origin, requests } = await receiver(() => undefined);
      const outcome = send(origin);
      await until(() => requests.length === 1);
      clock.setBack(ms);
      clock.pass(15_000);
      expect(await outcome).toMatchObject({ failure: "timeout", durationMs: 15_000 });
    },
  );

  test("that sends one byte a second is left then too, however far it came", async () => {
    let connection: Socket | undefined;
    const { origin } = await receiver((socket) => {
      connection = socket;
    });
    const outcome = send(origin);
    await until(() => connection !== undefined);
    for (const byte of "HTTP/1.1 200 OK") {
      await new Promise((resolve) => connection?.write(byte, resolve));
      clock.pass(1_000);
    }
    expect(await outcome).toMatchObject({ failure: "timeout" });
    await until(() => connection?.destroyed === true || connection?.readableEnded === true);
  });

  test("that sends a body without an end has been answered: the beginning is kept, the rest not read", async () => {
    let written = 0;
    const { origin } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n");
      const chunk = Buffer.alloc(16_384, "é");
      const pour = (): void => {
        while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
        written += chunk.length;
      };
      socket.on("drain", pour);
      pour();
    });
    const outcome = await send(origin);
    expect(outcome).toMatchObject({ status: 200, responseTruncated: true });
    expect(outcome).not.toHaveProperty("failure");
    expect(Buffer.byteLength(outcome.response ?? "")).toBeLessThanOrEqual(4_096 + 2);
    expect(outcome.response).toMatch(/^é+.?$/u);
    // What the two sockets buffer, and no more of the gigabyte.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test("that sends informational answers without an end fails the attempt", async () => {
    const { origin } = await receiver(answer("HTTP/1.1 103 Early Hints\n\n".repeat(1_000)));
    expect(await send(origin)).toMatchObject({ failure: "response" });
  });

  test.each([
    [16, undefined],
    [17, "response"],
  ])("that sends %d informational answers first: %s", async (count, failure) => {
    const { origin } = await receiver(
      answer(`${"HTTP/1.1 103 Early Hints\n\n".repeat(count)}HTTP/1.1 200 OK\nContent-Length: 0\n\n`),
    );
    expect((await send(origin)).failure).toBe(failure);
  });

  test("that sends chunks without an end has been answered with its status", async () => {
    const { origin } = await receiver((socket) => {
      socket.write("HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n");
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`));
      };
      socket.on("drain", pour);
      pour();
    });
    expect(await send(origin)).toMatchObject({ failure: "status", status: 500, responseTruncated: true });
  });

  test.each([
    ["SSH-2.0-OpenSSH_9.9\n"],
    ["HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\nx"],
    [`HTTP/1.1 200 OK\nX: ${"y".repeat(100_000)}\n\n`],
    ["HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n"],
  ])("that speaks no HTTP (%#) fails the attempt", async (text) => {
    const { origin } = await receiver(answer(text));
    expect((await send(origin)).failure).toMatch(/^(?:response|connection)$/);
  });

  test("that sends binary or NUL has its answer kept as text", async () => {
    const bytes = Buffer.from([0x61, 0, 0xff, 0x62]);
    const { origin } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
      socket.write(bytes);
    });
    expect((await send(origin)).response).toBe("a\uFFFD\uFFFDb");
  });

  test("that nobody is fails the attempt", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const port = portOf(server);
    server.close();
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject({
      failure: "connect",
      detail: "connection-refused",
      cause: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-tls-"));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  };
  let origin = "";
  let server: ReturnType<typeof createHttpsServer>;

  beforeAll(async () => {
    openssl(
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key.pem -out cert.pem".split(
        " ",
      ),
      ..."-subj /CN=hooks.example -addext subjectAltName=DNS:hooks.example".split(" "),
    );
    server = createHttpsServer(
      { key: readFileSync(file("key.pem")), cert: readFileSync(file("cert.pem")) },
      (request, response) => {
        request.resume();
        response.end("secure");
      },
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `https://hooks.example:${portOf(server)}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  function trusting(certificates?: string): {
    readonly sender: WebhookClient;
    readonly origins: ConnectionPools;
  } {
    const dialed = createConnectionPools(clock, {
      resolver: { resolve: async () => ["127.0.0.1"] },
      networksAllowed: ["127.0.0.0/8"],
      portsAllowed: [],
      connectTimeoutMs: patienceMs,
      ...(certificates === undefined ? {} : { trustedCertificates: certificates }),
    });
    return { sender: createWebhookClient({ pools: dialed, clock, timeoutMs: 15_000 }), origins: dialed };
  }

  test("with a certificate that is trusted and names the host", async () => {
    const trusted = trusting(readFileSync(file("cert.pem"), "utf8"));
    expect(await trusted.sender.send(exchange(origin))).toMatchObject({ status: 200, response: "secure" });
    const otherName = origin.replace("hooks.example", "other.example");
    expect(await trusted.sender.send(exchange(otherName))).toMatchObject({
      failure: "tls",
      detail: "hostname-mismatch",
    });
    await trusted.origins.close();
  });

  test("with a certificate that nobody vouches for, or with none, is refused", async () => {
    expect(await send(origin)).toMatchObject({ failure: "tls", detail: "self-signed" });
    const plain = await receiver(() => undefined);
    const noTls = createServer((socket) => socket.end("not TLS\n"));
    noTls.listen(0, "127.0.0.1");
    await once(noTls, "listening");
    open.add(noTls);
    expect(plain.requests).toEqual([]);
    expect(await send(`https://hooks.example:${portOf(noTls)}`)).toMatchObject({
      failure: "tls",
      detail: "tls-failed",
    });
  });
});

test("everything in flight can be cut off", async () => {
  const { origin, requests } = await receiver(() => undefined);
  const outcomes = [send(origin), send(origin)];
  await until(() => requests.length === 2);
  sender.cancelAll();
  expect((await Promise.all(outcomes)).map(({ failure }) => failure)).toEqual(["shutdown", "shutdown"]);
  // What was still being signed at that moment.
  expect(await send(origin)).toMatchObject({ failure: "shutdown" });
  expect(requests).toHaveLength(2);
});

test("connections are used again", async () => {
  const sockets = new Set<Socket>();
  const { origin } = await receiver((socket) => {
    sockets.add(socket);
    socket.write("HTTP/1.1 204 No Content\r\n\r\n");
  });
  for (let round = 0; round < 20; round += 1) await send(origin);
  expect(sockets.size).toBeLessThanOrEqual(2);
});
