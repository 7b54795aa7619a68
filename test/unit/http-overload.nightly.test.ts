import diagnostics_channel from "node:diagnostics_channel";
import { once } from "node:events";
import { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createMetrics, createWorkLimiter } from "../../runtime/operations/http/index.ts";
import type { Pipeline } from "../../runtime/pipeline/index.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { answering, call, dial, done, heldPipeline, serve, until } from "./http-harness.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: t\r\n\r\n`;
const countOf = (text: string, part: string) => text.split(part).length - 1;

/** A pipeline whose calls wait for their turn, and the most that were at work at once, by what they were sent. */
function countingPipeline(begun = (): void => {}) {
  const order: string[] = [];
  let now = 0;
  let most = 0;
  const pipeline: Pipeline = {
    ...answering,
    async answer({ body }) {
      now += 1;
      most = Math.max(most, now);
      begun();
      await nextTurn();
      now -= 1;
      order.push(body.toString("utf8", 0, 12));
      return done;
    },
  };
  return { pipeline, order, most: () => most };
}

describe("one connection that pipelines", () => {
  test("20,000 calls are all answered, two at a time, and most are not even read before", async () => {
    let parsedMost = 0;
    const { pipeline, order, most } = countingPipeline(() => {
      parsedMost = Math.max(parsedMost, service.load().parsed);
    });
    const { service } = await serve({ pipeline });
    const { socket, received } = await dial(service.port);
    const one = call(`{"pad":"${"x".repeat(600)}"}`);
    for (let sent = 0; sent < 20_000; sent += 1) socket.write(one);
    await until(() => order.length === 20_000);
    await until(() => countOf(received(), '{"done":true}') === 20_000);
    expect(most()).toBe(2);
    expect(parsedMost).toBeLessThan(10);
  });

  test("that waits is read a little at most, and loses nothing of what was in its pieces", async () => {
    const { pipeline, release, waiting } = heldPipeline();
    const accepted: Socket[] = [];
    const accept = (message: unknown): void => {
      const socket: unknown = Reflect.get(Object(message), "socket");
      if (socket instanceof Socket) accepted.push(socket);
    };
    diagnostics_channel.subscribe("net.server.socket", accept);
    const { service } = await serve({ pipeline });
    const { socket, received } = await dial(service.port);
    const other = await dial(service.port);
    diagnostics_channel.unsubscribe("net.server.socket", accept);
    const one = call(`{"pad":"${"x".repeat(600)}"}`);
    socket.write(call("{}").repeat(3));
    await until(() => waiting() === 2);
    const { bytesRead = 0 } = accepted[0] ?? {};
    for (let piece = 1; piece <= 20; piece += 1) {
      socket.write(one.repeat(50));
      other.socket.write(get("/healthz"));
      await until(() => countOf(other.received(), "200 OK") === piece);
    }
    expect(bytesRead).toBeGreaterThan(0);
    // Of 700 KB: what Node holds before it stops, and one read.
    expect((accepted[0]?.bytesRead ?? 0) - bytesRead).toBeLessThan(128 * 1024);
    await until(() => {
      release();
      return countOf(received(), '{"done":true}') === 1_003;
    });
  });

  test("beyond what all may have parsed, the one too many is refused after those before it, and that is the last", async () => {
    const { pipeline, release } = heldPipeline();
    const { service } = await serve({
      pipeline,
      limits: { requestsPerConnectionMax: 2, requestsParsedMax: 4 },
    });
    const callers = await Promise.all(Array.from({ length: 8 }, () => dial(service.port)));
    for (const { socket } of callers) socket.write(call("{}").repeat(20));
    await until(() => {
      release();
      return callers.every(
        ({ socket, received }) => socket.closed || countOf(received(), '{"done":true}') === 20,
      );
    });
    const refused = callers.filter(({ received }) => countOf(received(), '{"done":true}') < 20);
    expect(refused.length).toBeGreaterThan(0);
    for (const { received } of refused) {
      expect(countOf(received(), "503 Service Unavailable")).toBe(1);
      expect(received().lastIndexOf("503 Service")).toBeGreaterThan(received().lastIndexOf('{"done":true}'));
    }
    for (const { socket } of callers) socket.destroy();
    await until(() => service.connections() === 0);
    expect(service.load().parsed).toBe(0);
  });

  test("one call at a time is enough to get all of them done", async () => {
    const { pipeline, order, most } = countingPipeline();
    const { service } = await serve({ pipeline, limits: { requestsPerConnectionMax: 1 } });
    const { socket } = await dial(service.port);
    for (let sent = 0; sent < 2_000; sent += 1)
      socket.write(call(`{"pad":"${"x".repeat(300 + (sent % 3_000))}"}`));
    await until(() => order.length === 2_000);
    expect(most()).toBe(1);
  });

  test.each([1, 4])("answers that are read late are all sent, %i calls at a time", async (most) => {
    const { pipeline } = countingPipeline();
    const body = JSON.stringify("x".repeat(30_000));
    const answer: Pipeline["answer"] = async (request) => ({ ...(await pipeline.answer(request)), body });
    const { service } = await serve({
      pipeline: { ...pipeline, answer },
      limits: { requestsPerConnectionMax: most },
    });
    const { socket, received } = await dial(service.port);
    const one = call(`{"pad":"${"x".repeat(400)}"}`);
    for (let sent = 0; sent < 1_500; sent += 1) {
      if (sent === 100) socket.pause();
      socket.write(one);
      if (sent % 50 === 0) await nextTurn();
    }
    socket.resume();
    await until(() => received().length > 1_500 * 30_000 && countOf(received(), "HTTP/1.1 200") === 1_500);
  });

  test("another caller waits for a handful of its calls, not for all", async () => {
    const { pipeline, order } = countingPipeline();
    const { service } = await serve({ pipeline });
    const greedy = await dial(service.port);
    const other = await dial(service.port);
    const greedyCall = call(`"greedy${" ".repeat(600)}"`);
    for (let sent = 0; sent < 3_000; sent += 1) greedy.socket.write(greedyCall);
    for (let asked = 1; asked <= 20; asked += 1) {
      await until(() => order.length > asked * 20);
      const before = order.length;
      other.socket.write(call(`"other ${asked} "`));
      await until(() => order.includes(`"other ${asked} "`.slice(0, 12)));
      const ahead = order.indexOf(`"other ${asked} "`.slice(0, 12)) - before;
      // Two turns of the event loop until it is read, two calls in each; ten times that on a machine that is busy.
      expect(ahead).toBeLessThan(80);
    }
    greedy.socket.destroy();
  });

  test("health checks and refusals that are pipelined take turns with other connections, too", async () => {
    const { service } = await serve({ pipeline: answering });
    const greedy = await dial(service.port);
    const other = await dial(service.port);
    greedy.socket.write(get("/healthz").repeat(100) + call("{}", "Content-Encoding: gzip\r\n").repeat(100));
    await greedy.until("200 OK");
    other.socket.write(get("/readyz"));
    await other.until("ready\n");
    expect(countOf(greedy.received(), "HTTP/1.1 ")).toBeLessThan(150);
    await until(() => countOf(greedy.received(), "415 Unsupported") === 100);
  });

  test("thousands of tiny requests in one chunk are answered in turn with those of others", async () => {
    const { service } = await serve({ pipeline: answering });
    const greedy = await dial(service.port);
    const other = await dial(service.port);
    greedy.socket.write("GET /healthz HTTP/1.1\r\nHost:t\r\n\r\n".repeat(2_000));
    await greedy.until("200 OK");
    other.socket.write(get("/readyz"));
    await other.until("ready\n");
    expect(countOf(greedy.received(), "HTTP/1.1 200")).toBeLessThan(150);
    await until(() => countOf(greedy.received(), "HTTP/1.1 200") === 2_000);
    await until(() => service.load().parsed === 0);
  });

  test("closing its side after the last request does not cost a caller the answers", async () => {
    const { pipeline } = countingPipeline();
    const { service } = await serve({ pipeline });
    const { socket, received } = await dial(service.port);
    socket.end(call("{}").repeat(200));
    await once(socket, "close");
    expect(countOf(received(), '{"done":true}')).toBe(200);
  });
});

test("of many connections that pipeline a little again and again, none is forgotten", async () => {
  const { pipeline } = countingPipeline();
  const { service } = await serve({ pipeline });
  const callers = await Promise.all(Array.from({ length: 200 }, () => dial(service.port)));
  const one = call(`{"pad":"${"x".repeat(500)}"}`);
  for (let wave = 1; wave <= 60; wave += 1) {
    for (const { socket } of callers) socket.write(one);
    if (wave % 3 === 0) await nextTurn();
  }
  await until(() => callers.every(({ received }) => countOf(received(), '{"done":true}') === 60));
  expect(service.load()).toMatchObject({
    inFlight: 0,
    waiting: 0,
    pipelinedWaiting: 0,
    bodyBytes: 0,
    parsed: 0,
  });
});

test("of many connections that send all they have at once, no more is parsed than a slice of each", async () => {
  const { pipeline, order } = countingPipeline();
  const { service } = await serve({ pipeline });
  const callers = await Promise.all(Array.from({ length: 60 }, () => dial(service.port)));
  const other = await dial(service.port);
  const chunk = call(`{"pad":"${"x".repeat(500)}"}`).repeat(200);
  for (const { socket } of callers) socket.write(chunk);
  let parsedMost = 0;
  for (let asked = 1; order.length < 12_000; asked += 1) {
    other.socket.write(get("/healthz"));
    await until(() => countOf(other.received(), "200 OK") === asked);
    parsedMost = Math.max(parsedMost, service.load().parsed);
  }
  expect(parsedMost).toBeLessThan(60 * 5);
  await until(() => callers.every(({ received }) => countOf(received(), '{"done":true}') === 200));
});

describe("more calls than there are permits", () => {
  /** How long a call may wait for its permit. */
  const queueMaxMs = 500;

  test("ports share the permits; health checks need none; what would wait too long is told so", async () => {
    const { pass } = timersByHand({ performance: true });
    const { pipeline, waiting, release } = heldPipeline();
    const work = createWorkLimiter({ requestsMax: 2 });
    const metrics = createMetrics();
    const first = await serve({ pipeline, work, metrics });
    const second = await serve({ pipeline, work, metrics });
    const callers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => dial((n % 2 === 0 ? first : second).service.port)),
    );
    for (const { socket } of callers) socket.write(call("{}"));
    await until(() => waiting() === 2);
    const refused = () => callers.filter(({ received }) => received() !== "");
    await until(() => work.load().waiting === 4);
    expect(refused()).toEqual([]);
    await until(() => {
      pass(queueMaxMs);
      return refused().length === 4;
    });
    for (const { received } of refused()) {
      expect(received()).toContain("503 Service Unavailable");
      expect(received()).toContain("Retry-After: 1");
      expect(received()).toContain('"fault":"unavailable"');
      expect(received()).not.toContain("Connection: close");
    }
    expect(waiting()).toBe(2);
    expect((await fetch(`${first.service.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${second.service.url}/readyz`)).status).toBe(200);
    const shown = await (await fetch(`${first.service.url}/metrics`)).text();
    expect(shown).toMatch(/ledger_rpc_requests_refused_total\{interface="test",reason="overloaded"\} 4/);
    expect(shown).toMatch(/ledger_rpc_calls_in_flight 2/);
    expect(shown).toMatch(/ledger_rpc_calls_waiting 0/);
    expect(shown).toMatch(/nodejs_eventloop_lag_p99_seconds/);
    release();
    await until(() => callers.every(({ received }) => received() !== ""));
    const [again] = callers;
    again?.socket.write(call("{}"));
    await until(() => waiting() === 1);
    release();
  });

  test("refusals are logged in sum, not one by one", async () => {
    const { pass } = timersByHand({ performance: true });
    const { pipeline } = heldPipeline();
    const work = createWorkLimiter({ requestsMax: 1 });
    const { service, lines } = await serve({ pipeline, work });
    const callers = await Promise.all(Array.from({ length: 20 }, () => dial(service.port)));
    for (const { socket } of callers) socket.write(call("{}"));
    await until(() => work.load().waiting === 19);
    pass(3 * queueMaxMs);
    await until(() => callers.filter(({ received }) => received() !== "").length === 19);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("too busy");
  });

  test("a body that never ends takes no permit, and no room beyond the limit", async () => {
    const { service } = await serve({
      pipeline: answering,
      work: createWorkLimiter({ requestsMax: 1, bodyBytesMax: 100_000 }),
    });
    const head =
      "POST /rpc HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n";
    const slow = await dial(service.port);
    slow.socket.write(head + "x".repeat(60_000));
    const other = await dial(service.port);
    other.socket.write(call("{}"));
    await other.until('{"done":true}');
    const second = await dial(service.port);
    second.socket.write(head + "x".repeat(60_000));
    await Promise.race([second.until("503 Service Unavailable"), slow.until("503 Service Unavailable")]);
    other.socket.write(call("{}"));
    await until(() => countOf(other.received(), '{"done":true}') === 2);
  });
});
