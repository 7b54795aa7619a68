import diagnostics_channel from "node:diagnostics_channel";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { Server } from "node:http";
import { connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMetrics, createWorkLimiter } from "../../runtime/operations/http/index.ts";
import type { Pipeline } from "../../runtime/pipeline/index.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { answering, call, dial, done, heldPipeline, patienceMs, serve, until } from "./http-harness.ts";

const tiny = "GET / HTTP/1.1\r\nHost:t\r\n\r\n";
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: t\r\n\r\n`;

/** More than the buffers of the operating system take at once. */
const largeBody = JSON.stringify("x".repeat(16_000_000));

/** How often connections are looked at, and how long one that is hung up has to take what was sent to it. */
const sweepMs = 1_000;
const lingerMs = 1_000;

describe("a peer that only holds a place", () => {
  test.each([
    ["sends nothing", ""],
    ["sends a byte at a time", "P"],
    ["never sends the body", call("{}").slice(0, -1)],
    ["sends what is no HTTP", "\0\0\0\0"],
  ])("that %s is told so, and destroyed though it neither reads nor closes", async (_name, bytes) => {
    const { pass } = timersByHand();
    const { service } = await serve({
      pipeline: answering,
      limits: { headersTimeoutMs: 50, requestTimeoutMs: 100, sweepEveryMs: 10 },
    });
    const { socket } = await dial(service.port, { allowHalfOpen: true });
    const reset = once(socket, "error").catch(() => {});
    socket.write(bytes);
    socket.pause();
    await until(() => {
      pass(lingerMs);
      return service.connections() === 0;
    });
    socket.resume();
    socket.destroy();
    await Promise.race([reset, once(socket, "close")]);
  });

  test("that never reads its answers is ended", async () => {
    const { pass } = timersByHand();
    const refused: string[] = [];
    const { service } = await serve({
      pipeline: { ...answering, answer: () => Promise.resolve({ ...done, body: largeBody }) },
      metrics: { ...createMetrics(), connectionRefused: (_name, reason) => refused.push(reason) },
      limits: { answerTimeoutMs: 5 * sweepMs },
    });
    const { socket } = await dial(service.port);
    const begun = once(socket, "data");
    socket.write(call("{}"));
    await begun;
    socket.pause();
    pass(4 * sweepMs);
    expect(refused).toEqual([]);
    pass(sweepMs);
    expect(refused).toEqual(["answers-not-read"]);
    await until(() => service.connections() === 0);
    socket.destroy();
  });

  test("that leaves an answer unread makes room for others, who began to first", async () => {
    const metrics = createMetrics();
    const { service } = await serve({
      pipeline: { ...answering, answer: () => Promise.resolve({ ...done, body: largeBody }) },
      metrics,
      limits: { answerBytesMax: 1_000_000, answerTimeoutMs: 600_000 },
    });
    const [first, second] = [await dial(service.port), await dial(service.port)];
    const firstClosed = once(first.socket, "close");
    for (const { socket } of [first, second]) {
      const begun = once(socket, "data");
      socket.write(call("{}"));
      await begun;
      socket.pause();
    }
    await until(() => service.connections() === 1);
    first.socket.resume();
    second.socket.resume();
    await firstClosed;
    await second.until(largeBody);
    expect(await metrics.text()).toContain(
      'ledger_rpc_connections_refused_total{interface="test",reason="answers-not-read"} 1',
    );
    second.socket.destroy();
  });

  test("that reads gets answers that are larger than the room for unread ones", async () => {
    const { service } = await serve({
      pipeline: { ...answering, answer: () => Promise.resolve({ ...done, body: largeBody }) },
      limits: { answerBytesMax: 1_000 },
    });
    for (let count = 0; count < 2; count += 1) {
      const { socket, until: receivedOnce } = await dial(service.port);
      socket.write(call("{}"));
      await receivedOnce(largeBody);
      socket.destroy();
    }
  });

  test("that never ends a request is ended, also where the time for it passed while it was not read", async () => {
    const { pass } = timersByHand();
    const { pipeline, waiting, release } = heldPipeline();
    const { service, lines } = await serve({
      pipeline,
      limits: { requestsPerConnectionMax: 1, requestTimeoutMs: 600 * sweepMs },
    });
    const { socket } = await dial(service.port);
    const closed = once(socket, "close");
    const asked = nextRequest();
    socket.write(call("{}").repeat(3) + call("{}").slice(0, -1));
    await until(() => service.load().parsed === 4);
    const serverSide = await asked;
    serverSide.timeOut();
    pass(1_000 * sweepMs);
    expect(serverSide.socket.writableEnded).toBe(false);
    await until(() => {
      release();
      return waiting() === 0 && lines.length === 3;
    });
    pass(599 * sweepMs);
    expect(serverSide.socket.writableEnded).toBe(false);
    pass(sweepMs);
    expect(serverSide.socket.writableEnded).toBe(true);
    await closed;
  });

  test("gives its place to a caller, the one that never asked anything first", async () => {
    const { pass } = timersByHand();
    const { service } = await serve({ pipeline: answering, limits: { connectionsMax: 2 } });
    const served = await dial(service.port);
    served.socket.write(call("{}"));
    await served.until('{"done":true}');
    pass(4 * sweepMs);
    const silent = await dial(service.port);
    await until(() => service.connections() === 2);
    const gone = once(silent.socket, "close");
    pass(4 * sweepMs);
    const caller = await dial(service.port);
    caller.socket.write(call("{}"));
    await caller.until('{"done":true}');
    await gone;
    served.socket.write(call("{}"));
    await until(() => served.received().split('{"done":true}').length === 3);
  });
});

describe("above the limit of connections", () => {
  test("health checks are answered, all else is refused, and the connection is closed", async () => {
    timersByHand();
    const { pipeline, arrived, release } = heldPipeline();
    const metrics = createMetrics();
    const { service } = await serve({ pipeline, metrics, limits: { connectionsMax: 1 } });
    const busy = await dial(service.port);
    busy.socket.write(call("{}"));
    await arrived;
    for (const [request, status] of [
      [get("/healthz"), "200 OK"],
      [get("/readyz"), "200 OK"],
      [call("{}"), "503 Service Unavailable"],
      [get("/metrics"), "503 Service Unavailable"],
    ] as const) {
      const { socket, received } = await dial(service.port);
      socket.write(request.repeat(3));
      await once(socket, "close");
      expect(received()).toContain(`HTTP/1.1 ${status}`);
      expect(received()).toContain("Connection: close");
      expect(received().split("HTTP/1.1 ")).toHaveLength(2);
    }
    release();
    await busy.until('{"done":true}');
    expect(await metrics.text()).toContain(
      'ledger_rpc_connections_refused_total{interface="test",reason="limit"} 4',
    );
  });

  test("a request that is not whole gives its place to a caller, the one that has been arriving longest", async () => {
    const { pipeline, waiting, release } = heldPipeline();
    const { pass } = timersByHand();
    const { service } = await serve({ pipeline, limits: { connectionsMax: 3 } });
    const busy = await dial(service.port);
    busy.socket.write(call("{}"));
    await until(() => waiting() === 1);
    const unfinished = call("{}").slice(0, -1);
    const slow = await dial(service.port);
    slow.socket.write(unfinished);
    await until(() => service.load().parsed === 2);
    pass(2 * sweepMs);
    const later = await dial(service.port);
    later.socket.write(unfinished);
    await until(() => service.load().parsed === 3);
    const gone = once(slow.socket, "close");
    const early = await dial(service.port);
    early.socket.write(call("{}"));
    await early.until("503 Service Unavailable");
    pass(3 * sweepMs);
    const caller = await dial(service.port);
    caller.socket.write(call("{}"));
    await until(() => waiting() === 2);
    await gone;
    release();
    later.socket.write("}");
    await until(() => waiting() === 1);
    release();
    await later.until('{"done":true}');
    await busy.until('{"done":true}');
  });

  test("silent connections do not take the place of health checks", async () => {
    timersByHand();
    const { pipeline, arrived } = heldPipeline();
    const { service } = await serve({ pipeline, limits: { connectionsMax: 1 } });
    const busy = await dial(service.port);
    busy.socket.write(call("{}"));
    await arrived;
    const silent = await Promise.all(Array.from({ length: 100 }, () => dial(service.port)));
    const { socket, received } = await dial(service.port);
    socket.write(get("/healthz"));
    await once(socket, "close");
    expect(received()).toContain("200 OK");
    for (const each of silent) each.socket.destroy();
  });

  test("those that give way to later ones are told so", async () => {
    timersByHand();
    const { pipeline, arrived } = heldPipeline();
    const { service } = await serve({ pipeline, limits: { connectionsMax: 1 } });
    const busy = await dial(service.port);
    busy.socket.write(call("{}"));
    await arrived;
    const many = await Promise.all(Array.from({ length: 100 }, () => dial(service.port)));
    for (const one of many.slice(0, 68)) {
      await one.until('"unavailable"');
      expect(one.received()).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
      expect(one.received()).toContain("\r\nRetry-After: 1\r\n");
    }
    for (const { socket } of many) socket.destroy();
  });

  test("an address has its own limit, from which loopback is exempt unless it is counted", async () => {
    timersByHand();
    for (const [countLoopback, refused] of [
      [true, true],
      [false, false],
    ] as const) {
      const { service } = await serve({
        pipeline: answering,
        limits: { connectionsPerAddressMax: 2, countLoopback },
      });
      await dial(service.port);
      await dial(service.port);
      const third = await dial(service.port);
      third.socket.write(call("{}"));
      await third.until(refused ? "503 Service Unavailable" : '{"done":true}');
      const health = await dial(service.port);
      health.socket.write(get("/healthz"));
      await health.until("200 OK");
    }
  });

  test("an address gets back the place of a connection that ended", async () => {
    timersByHand();
    const limits = { connectionsPerAddressMax: 1, countLoopback: true };
    const { service } = await serve({ pipeline: answering, limits });
    (await dial(service.port)).socket.destroy();
    await until(() => service.connections() === 0);
    const next = await dial(service.port);
    next.socket.write(call("{}"));
    await next.until("HTTP/1.1 ");
    expect(next.received()).toContain("200 OK");
  });
});

test("the metrics page can be left out of a port", async () => {
  const { service } = await serve({ pipeline: answering, showMetrics: false });
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

test("a closing port answers what has arrived on connections that it has not accepted yet", async () => {
  const { service } = await serve({ pipeline: answering });
  const callers = await Promise.all(Array.from({ length: 100 }, () => dial(service.port)));
  for (const { socket } of callers) socket.write(call("{}").repeat(3));
  expect(service.connections()).toBeLessThan(90);
  expect(await service.close(patienceMs)).toEqual({ answered: 300, cut: 0 });
  expect(callers.filter(({ received }) => received().split('{"done":true}').length !== 4)).toEqual([]);
});

test("a health check behind many new connections waits for few calls of those that are open", async () => {
  const { service } = await serve({ pipeline: answering });
  let answers = 0;
  const callers = await Promise.all(Array.from({ length: 40 }, () => dial(service.port)));
  for (const { socket } of callers) {
    socket.on("data", () => {
      answers += 1;
      socket.write(call("{}"));
    });
    socket.write(call("{}"));
  }
  await until(() => answers > 1_000);
  const before = answers;
  const others = Array.from({ length: 200 }, () => connect(service.port, "127.0.0.1"));
  const last = await dial(service.port);
  last.socket.write(get("/healthz"));
  await last.until("200 OK");
  // One in each turn that accepts a connection; without that, as many as there are callers.
  expect(answers - before).toBeLessThan(1_000);
  for (const socket of [...others, ...callers.map((each) => each.socket)]) socket.destroy();
});

test("of thousands of tiny requests in one read few are parsed while calls before them are at work", async () => {
  const { pipeline, waiting, release } = heldPipeline();
  const { service } = await serve({ pipeline });
  const caller = await dial(service.port);
  caller.socket.write(call("{}").repeat(2) + tiny.repeat(2_000));
  await until(() => waiting() === 2);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  // Those of a slice, 1 KiB.
  expect(service.load().parsed).toBeLessThan(100);
  release();
  await until(() => caller.received().split("HTTP/1.1 404").length === 2_001);
});

test("a connection with more unanswered calls than it may have at work is not read on", async () => {
  const { pipeline, waiting, release } = heldPipeline();
  const { service } = await serve({ pipeline });
  const caller = await dial(service.port);
  const answers = () => caller.received().split('{"done":true}').length - 1;
  caller.socket.write(call(JSON.stringify("x".repeat(8_000))).repeat(40));
  await until(() => waiting() === 2);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect(waiting()).toBe(2);
  expect(service.load().parsed).toBe(3);
  await until(() => {
    release();
    return answers() === 40;
  });
});

test("a storm of resets leaves nothing behind", async () => {
  const { service } = await serve({ pipeline: answering });
  for (let round = 0; round < 10; round += 1) {
    const callers = await Promise.all(Array.from({ length: 50 }, () => dial(service.port)));
    for (const { socket } of callers) {
      socket.write(call("{}").repeat(5));
      socket.resetAndDestroy();
    }
  }
  await until(() => service.connections() === 0);
  expect(service.load()).toMatchObject({ inFlight: 0, waiting: 0, bodyBytes: 0, parsed: 0 });
});

test("pages that are asked for at once, and not waited for, leave no file open and no request counted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  const file = join(folder, "page.txt");
  writeFileSync(file, "x".repeat(10_000_000));
  const { service } = await serve({
    pipeline: answering,
    addRoutes: (app) => void app.get("/page", (_request, response) => response.sendFile(file)),
  });
  for (let asked = 0; asked < 10; asked += 1) {
    const { socket, until: received } = await dial(service.port);
    socket.write(get("/page").repeat(4));
    await received("200 OK");
    socket.destroy();
  }
  await until(() => service.connections() === 0);
  expect(service.load().parsed).toBe(0);
  await until(() => openFiles(file) === 0);
  rmSync(folder, { recursive: true });
});

/** The connection of the next request, as the server has it. */
async function nextRequest() {
  const seen = Promise.withResolvers<{ readonly server: Server; readonly socket: Socket }>();
  const see = (message: unknown): void => {
    const { server, socket }: { readonly server?: unknown; readonly socket?: unknown } = Object(message);
    if (server instanceof Server && socket instanceof Socket) seen.resolve({ server, socket });
  };
  diagnostics_channel.subscribe("http.server.request.start", see);
  const { server, socket } = await seen.promise;
  diagnostics_channel.unsubscribe("http.server.request.start", see);
  return {
    socket,
    /** Tells the server what Node does when a request is not whole in time. */
    timeOut: (): void => {
      const error = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
      server.emit("clientError", error, socket);
    },
  };
}

/** How often this process has a file open; on Linux alone. */
function openFiles(file: string): number {
  if (!existsSync("/proc/self/fd")) return 0;
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  }).length;
}

test.each([
  ["the store refuses because of another program's lock", "database-locked", "another program holds a lock"],
  ["are refused for other calls of their user", "too-many-calls", "a user has too many calls at once"],
])("calls that %s are counted, with one line for many", async (_name, reason, cause) => {
  const locked: Pipeline = {
    ...answering,
    answer: () => Promise.resolve({ ...done, status: 503, trace: { reason } }),
  };
  const { service, lines } = await serve({ pipeline: locked });
  const posted = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  for (let times = 0; times < 3; times += 1)
    expect((await fetch(`${service.url}/rpc`, posted)).status).toBe(503);
  const shown = await (await fetch(`${service.url}/metrics`)).text();
  expect(shown).toContain(`ledger_rpc_requests_refused_total{interface="test",reason="${reason}"} 3`);
  const said = lines.filter((line) => line.includes(cause));
  expect(said.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, interface: "test", refused: { [reason]: 1 } }),
  ]);
});

test("slow calls of one user over many connections leave permits for others, who are served at once", async () => {
  const { pipeline, release, waiting } = heldPipeline();
  const served: string[] = [];
  const byUser: Pipeline = {
    ...pipeline,
    async answer(request) {
      const userName = request.body.toString();
      if (!((await request.admit?.(userName)) ?? true))
        return { ...done, status: 503, trace: { reason: "too-many-calls" } };
      served.push(userName);
      return userName === "slow" ? pipeline.answer(request) : done;
    },
  };
  const work = createWorkLimiter({ requestsMax: 16, queueMaxMs: 600_000 });
  const { service } = await serve({ pipeline: byUser, work });
  const slow = await Promise.all(Array.from({ length: 20 }, () => dial(service.port)));
  for (const { socket } of slow) socket.write(call("slow"));
  await until(() => work.load().waiting === 6);
  expect(served).toHaveLength(14);
  const other = await dial(service.port);
  other.socket.write(call("other"));
  await other.until('{"done":true}');
  expect(served.slice(14)).toEqual(["other"]);
  await until(() => {
    release();
    return waiting() === 0 && served.length === 21;
  });
  expect(served.slice(15)).toEqual(Array.from({ length: 6 }, () => "slow"));
  await until(() => slow.every(({ received }) => received().includes('{"done":true}')));
  expect(work.load()).toMatchObject({ inFlight: 0, waiting: 0 });
});
