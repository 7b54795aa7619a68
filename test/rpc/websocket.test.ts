import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { WebSocket, type ClientOptions } from "ws";
import { describe, expect, test } from "vitest";
import type { AuthScheme, SchemeVerifier } from "../../runtime/auth/port.ts";
import { createService, type AnyHandler, type ServiceOptions } from "../../runtime/index.ts";
import { rpcWebSocket, type WebSocketOptions } from "../../runtime/transport/websocket/index.ts";
import type { JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith, method, validator } from "./interface.ts";
import { listen } from "./listen.ts";
import { patienceMs } from "../until.ts";

const notifications = {
  changed: { name: "changed", validate: validator({ required: ["task"] }) },
};

interface Setup {
  readonly changes?: Partial<JsonRpcInterfaceDescriptor>;
  readonly service?: ServiceOptions;
  readonly websocket?: WebSocketOptions;
}

async function serve({ changes = {}, service = {}, websocket = {} }: Setup = {}) {
  const trial = trialHandlers();
  const descriptor = interfaceWith({ notifications, ...changes });
  const endpoint = rpcWebSocket(createService(descriptor, trial.handlers, { onFailure() {}, ...service }), {
    closeMs: patienceMs,
    ...websocket,
  });
  const { port, server } = await listen((_request, response) => response.writeHead(404).end());
  endpoint.attach(server);
  return { ...trial, endpoint, port, url: `ws://127.0.0.1:${port}/rpc` };
}

/** A client that keeps what it receives. */
async function open(url: string, options: ClientOptions = {}) {
  const socket = new WebSocket(url, options);
  const texts: string[] = [];
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  socket.on("message", (data) => texts.push(String(data)));
  await new Promise((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("unexpected-response", (_request, response) => reject(new Error(`${response.statusCode}`)));
    socket.on("error", reject);
  });
  const next = async (count = 1): Promise<readonly string[]> => {
    await expect.poll(() => texts.length).toBeGreaterThanOrEqual(count);
    return texts.splice(0);
  };
  return { socket, texts, closed, next };
}

const call = (id: unknown, name: string, params?: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: name, params });

/**
 * Sends pings only when asked. By the machine's clock, a busy process would find a ping due before it has read the
 * last answer.
 */
function pingsByHand(pingMs = 1000) {
  const { pass } = timersByHand({ performance: true });
  return { pingMs, ping: () => pass(pingMs) };
}

describe("over WebSocket", () => {
  test("answers calls and batches, and nothing to notifications", async () => {
    const { url, endpoint } = await serve();
    const { socket, next } = await open(url);
    socket.send('{"jsonrpc":"2.0","method":"update"}');
    socket.send(call(1, "subtract", [5, 3]));
    expect(await next()).toEqual(['{"jsonrpc":"2.0","result":2,"id":1}']);
    socket.send(`[${call("a", "get_data")},1]`);
    expect(JSON.parse((await next()).join())).toMatchObject([{ id: "a" }, { error: { code: -32600 } }]);
    socket.send("{");
    expect(JSON.parse((await next()).join())).toMatchObject({ id: null, error: { code: -32700 } });
    expect(endpoint.connections).toBe(1);
    socket.terminate();
    await expect.poll(() => endpoint.connections).toBe(0);
  });

  test("a call that takes long does not hold up others", async () => {
    const { url, release } = await serve();
    const { socket, next } = await open(url);
    socket.send(call(1, "wait"));
    socket.send(call(2, "get_data"));
    expect((await next()).join()).toContain('"id":2');
    release();
    expect((await next()).join()).toContain('"id":1');
  });

  test("sends what the interface declares, to all or to who called", async () => {
    const { url, endpoint } = await serve();
    const first = await open(url);
    const second = await open(url);
    expect(endpoint.broadcast("changed", { task: 1 })).toBe(2);
    const sent = '{"jsonrpc":"2.0","method":"changed","params":{"task":1}}';
    expect([await first.next(), await second.next()]).toEqual([[sent], [sent]]);
    expect(() => endpoint.broadcast("other")).toThrow("declares no notification other: it has changed");
    expect(() => endpoint.broadcast("changed", {})).toThrow(
      'the params of changed do not fit the spec at "/task"',
    );
    first.socket.terminate();
    second.socket.terminate();
  });

  test("a handler notifies over the connection of its call", async () => {
    const told: unknown[] = [];
    const service = createService(interfaceWith({ notifications, methods: { tell: method("tell") } }), {
      tell: async (_payload: object, context: { notify?: (name: string, params: object) => boolean }) => {
        told.push(context.notify?.("changed", { task: 2 }));
        return null;
      },
    });
    const { port, server } = await listen((_request, response) => response.end());
    rpcWebSocket(service).attach(server);
    const { socket, next } = await open(`ws://127.0.0.1:${port}/rpc`);
    socket.send(call(1, "tell"));
    expect((await next(2))[0]).toBe('{"jsonrpc":"2.0","method":"changed","params":{"task":2}}');
    expect(told).toEqual([true]);
    socket.terminate();
  });

  test("closes with 1001 when calls at work are answered", async () => {
    const { url, endpoint, release, waiting } = await serve();
    const { socket, closed, texts } = await open(url);
    socket.send(call(1, "wait"));
    await expect.poll(waiting).toBe(1);
    const closing = endpoint.close();
    release();
    await closing;
    expect(await closed).toBe(1001);
    expect(texts).toEqual(['{"jsonrpc":"2.0","result":"done","id":1}']);
    await expect(open(url)).rejects.toThrow("503");
  });
});

describe("handshakes", () => {
  const key: SchemeVerifier = {
    kind: "api-key",
    bind: () => ({
      verifies: "request",
      challenge: "Key",
      verify(evidence) {
        const [value] = evidence.header("x-key");
        if (value === undefined) return { kind: "missing" };
        return value === "good"
          ? { kind: "identity", identity: { caller: {}, scopes: [] } }
          : { kind: "rejected" };
      },
    }),
  };
  const secured = {
    schemes: { key: { kind: "api-key" } },
    methods: { get_data: method("get_data", { security: [{ key: [] }] }) },
  };
  const handlers = { get_data: async () => "secret" };

  async function serveSecured(methods: JsonRpcInterfaceDescriptor["methods"]) {
    const descriptor = interfaceWith({ ...secured, methods });
    const all: Readonly<Record<string, AnyHandler>> =
      "open" in methods ? { ...handlers, open: handlers.get_data } : handlers;
    const service = createService(descriptor, all, { auth: { key } });
    const { port, server } = await listen((_request, response) => response.end());
    rpcWebSocket(service).attach(server);
    return `ws://127.0.0.1:${port}/rpc`;
  }

  test("credentials are judged at the handshake where no method is open", async () => {
    const url = await serveSecured(secured.methods);
    await expect(open(url)).rejects.toThrow("401");
    await expect(open(url, { headers: { "x-key": "bad" } })).rejects.toThrow("401");
    const { socket, next } = await open(url, { headers: { "x-key": "good" } });
    socket.send(call(1, "get_data"));
    expect(await next()).toEqual(['{"jsonrpc":"2.0","result":"secret","id":1}']);
    socket.terminate();
  });

  test("where a method is open, each call is judged", async () => {
    const url = await serveSecured({ ...secured.methods, open: method("open") });
    const { socket, next } = await open(url);
    socket.send(call(1, "open"));
    socket.send(call(2, "get_data"));
    expect((await next(2)).join()).toMatch(/"result":"secret","id":1.*"code":-32001.*"id":2/);
    socket.terminate();
  });

  test.for([
    [undefined, "https://evil.example", "403"],
    [["https://app.example"], "https://evil.example", "403"],
    [["https://app.example"], "https://app.example", "open"],
    ["any", "https://evil.example", "open"],
  ] as const)("origins %s: a page of %s gets %s", async ([origins, origin, expected]) => {
    const { url } = await serve({ websocket: origins === undefined ? {} : { origins } });
    const outcome = await open(url, { origin }).then(
      ({ socket }) => {
        socket.terminate();
        return "open";
      },
      (error: unknown) => String(error),
    );
    expect(outcome).toContain(expected);
  });

  describe("a connection that is open", () => {
    /** One client with the key `good`, which can be taken back, and the clock of the service. */
    async function serveRevocable(part: Partial<AuthScheme> = {}, expiresAtMs?: number) {
      let isGood = true;
      let nowMs = 1_000_000;
      const identity = { caller: {}, scopes: [], ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
      const revocable: SchemeVerifier = {
        kind: "api-key",
        bind: () => ({
          verifies: "request",
          verify: () => (isGood ? { kind: "identity", identity } : { kind: "rejected" }),
          ...part,
        }),
      };
      const service = createService(interfaceWith({ ...secured, notifications }), handlers, {
        auth: { key: revocable },
        clock: { now: () => nowMs },
      });
      const { port, server } = await listen((_request, response) => response.end());
      const { pingMs, ping } = pingsByHand();
      const endpoint = rpcWebSocket(service, { pingMs });
      endpoint.attach(server);
      return {
        endpoint,
        ...(await open(`ws://127.0.0.1:${port}/rpc`)),
        ping,
        revoke: () => void (isGood = false),
        wait: (ms: number) => void (nowMs += ms),
      };
    }

    test("is closed with 1008 once its credentials are revoked, and is told nothing more", async () => {
      const { endpoint, closed, ping, revoke, wait } = await serveRevocable();
      expect(endpoint.broadcast("changed", { task: 1 })).toBe(1);
      revoke();
      wait(60_000);
      ping();
      expect(await closed).toBe(1008);
      expect(endpoint.broadcast("changed", { task: 1 })).toBe(0);
    });

    test("is closed with 1008 once its credentials have expired", async () => {
      const { closed, ping, wait } = await serveRevocable({}, 1_010_000);
      wait(10_000);
      ping();
      expect(await closed).toBe(1008);
    });

    test("keeps an identity whose credentials prove it once only", async () => {
      const { socket, next, ping, revoke, wait } = await serveRevocable({ provesOnce: true });
      revoke();
      wait(600_000);
      ping();
      socket.send(call(1, "get_data"));
      expect((await next()).join()).toContain("secret");
      socket.terminate();
    });
  });

  test("other paths are refused with 404, and too many connections with 503", async () => {
    const { url, port } = await serve({ websocket: { connections: 1 } });
    await expect(open(`ws://127.0.0.1:${port}/other`)).rejects.toThrow("404");
    const { socket } = await open(url);
    await expect(open(url)).rejects.toThrow("503");
    socket.terminate();
  });

  test("a handshake that is broken off harms nobody", async () => {
    const { url, port } = await serve();
    const request = httpRequest({
      port,
      path: "/rpc",
      headers: { connection: "upgrade", upgrade: "websocket" },
    });
    request.on("error", () => undefined);
    request.end();
    await new Promise((resolve) => request.on("close", resolve));
    const { socket } = await open(url);
    socket.terminate();
  });
});

describe("hostile peers over WebSocket", () => {
  /** A client whose frames are written by hand: masked with zeros. */
  async function openRaw(port: number) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(
      "GET /rpc HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
    );
    await new Promise((resolve) => socket.once("data", resolve));
    return { socket, closed };
  }

  test("a frame above the limit closes with 1009, a binary one with 1003, and neither is carried out", async () => {
    const { url, recorded } = await serve({ service: { limits: { messageBytes: 1000 } } });
    const large = await open(url);
    large.socket.send(call(1, "echo", { text: "x".repeat(1000) }));
    expect(await large.closed).toBe(1009);
    const binary = await open(url);
    binary.socket.send(Buffer.from(call(1, "get_data")));
    expect(await binary.closed).toBe(1003);
    expect(recorded).toEqual([]);
  });

  test("a client that no longer answers pings is disconnected", async () => {
    const { pingMs, ping } = pingsByHand();
    const { port, endpoint } = await serve({ websocket: { pingMs } });
    const silent = await openRaw(port);
    const pinged = once(silent.socket, "data");
    ping();
    await pinged;
    expect(endpoint.connections).toBe(1);
    ping();
    await silent.closed;
    await expect.poll(() => endpoint.connections).toBe(0);
  });

  /** The beginning of a text frame of 60,000 bytes. */
  const beginning = (bytes: number): Buffer =>
    Buffer.concat([
      Buffer.from([0x81, 0xfe, 60_000 >> 8, 60_000 & 0xff, 0, 0, 0, 0]),
      Buffer.alloc(bytes, " "),
    ]);

  test("messages that are not whole have room for so many bytes together", async () => {
    const { port, url } = await serve({ websocket: { unfinishedBytes: 100_000 } });
    const first = await openRaw(port);
    first.socket.write(beginning(55_000));
    const other = await open(url);
    other.socket.send(call(1, "echo", { text: "x".repeat(30_000) }));
    await other.next();
    const second = await openRaw(port);
    second.socket.write(beginning(55_000));
    await second.closed;
    // Its room is free again, and complete messages of others do not count.
    const third = await openRaw(port);
    third.socket.write(beginning(30_000));
    for (let id = 0; id < 10; id += 1) {
      other.socket.send(call(id, "echo", { text: "x".repeat(10_000) }));
      expect((await other.next()).join()).toContain(`"id":${id}`);
    }
    expect(first.socket.closed || third.socket.closed).toBe(false);
    for (const socket of [first.socket, third.socket]) socket.destroy();
    other.socket.terminate();
  });

  test("a message that is never whole ends its connection, whatever pings are answered", async () => {
    const { pingMs, ping } = pingsByHand();
    const { port, endpoint } = await serve({ websocket: { pingMs, messageTimeoutMs: 2 * pingMs } });
    const slow = await openRaw(port);
    const received: string[] = [];
    slow.socket.on("data", (chunk: Buffer) => received.push(chunk.toString("latin1")));
    const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
    // Between the frames of a message pings may be answered, and the service answers them.
    const ownPing = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
    slow.socket.write(Buffer.concat([Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x5b]), ownPing]));
    await expect.poll(() => received).toHaveLength(1);
    for (let pings = 1; pings <= 2; pings += 1) {
      ping();
      await expect.poll(() => received).toHaveLength(2 * pings);
      slow.socket.write(Buffer.concat([pong, ownPing]));
      await expect.poll(() => received).toHaveLength(2 * pings + 1);
    }
    expect(endpoint.connections).toBe(1);
    ping();
    await slow.closed;
    expect(received.at(-1)).toContain("a message took too long to be whole");
  });

  test("a client that is quiet, and answers pings, stays", async () => {
    const { pingMs, ping } = pingsByHand();
    const { url, endpoint } = await serve({ websocket: { pingMs, messageTimeoutMs: 1 } });
    const { socket, next } = await open(url);
    for (let pings = 0; pings < 10; pings += 1) {
      const pinged = new Promise((resolve) => socket.once("ping", resolve));
      ping();
      await pinged;
      // Messages sent after the answer to the ping are read after it.
      socket.send(call(pings, "get_data"));
      await next();
    }
    expect(endpoint.connections).toBe(1);
    socket.terminate();
  });

  test("a client that does not read stops being read, and gets no notifications", async () => {
    const { url, endpoint, recorded } = await serve({ websocket: { unreadBytes: 1000 } });
    const deaf = await open(url);
    deaf.socket.pause();
    const large = { text: "x".repeat(200_000) };
    const sent = 100;
    for (let id = 0; id < sent; id += 1) deaf.socket.send(call(id, "echo", large));
    await expect.poll(() => endpoint.broadcast("changed", { task: 1 })).toBe(0);
    expect(recorded.length).toBeLessThan(sent);
    // Others are answered meanwhile.
    const other = await open(url);
    other.socket.send(call(1, "get_data"));
    expect((await other.next()).join()).toContain("hello");
    deaf.socket.resume();
    await expect.poll(() => deaf.texts.filter((text) => text.includes('"id"')).length).toBe(sent);
    deaf.socket.terminate();
    other.socket.terminate();
  });

  test("what is left unread has room together: who has read nothing for longest goes first", async () => {
    const websocket = { unreadBytes: 1e9, unreadTotalBytes: 1_000_000 };
    const answer = { text: "x".repeat(200_000) };
    const descriptor = interfaceWith({ methods: { large: method("large") } });
    const endpoint = rpcWebSocket(createService(descriptor, { large: async () => answer }), websocket);
    const { port, server } = await listen((_request, response) => response.end());
    endpoint.attach(server);
    const url = `ws://127.0.0.1:${port}/rpc`;
    const leaveUnread = async () => {
      const client = await open(url);
      client.socket.pause();
      for (let id = 0; id < 100; id += 1) client.socket.send(call(id, "large"));
      return client;
    };
    const reading = await open(url);
    const first = await leaveUnread();
    const second = await leaveUnread();
    await expect.poll(() => endpoint.connections).toBe(2);
    first.socket.resume();
    await first.closed;
    expect(first.texts.length).toBeLessThan(100);
    reading.socket.send(call(1, "large"));
    expect((await reading.next()).join()).toContain("xxx");
    second.socket.resume();
    await expect.poll(() => second.texts.length).toBe(100);
    second.socket.terminate();
    reading.socket.terminate();
  });

  test("a thousand messages in one piece are begun sixteen in a turn of the event loop", async () => {
    const { url, recorded } = await serve({ websocket: { messagesAtOnce: 1000 } });
    const { socket, next } = await open(url);
    let begunBefore = 0;
    const begun: number[] = [];
    const count = (): void => {
      begun.push(recorded.length - begunBefore);
      begunBefore = recorded.length;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    for (let id = 0; id < 1000; id += 1) socket.send(call(id, "echo", { id }));
    await next(1000);
    clearImmediate(counting);
    // Between two counts one turn may end and another begin.
    expect(Math.max(...begun)).toBeLessThanOrEqual(32);
    socket.terminate();
  });

  test("calls of a client that has gone are abandoned where they change nothing", async () => {
    const outcomes: string[] = [];
    const service: ServiceOptions = { onCall: ({ outcome }) => outcomes.push(outcome) };
    const { url, endpoint, waiting, release } = await serve({ service });
    const { socket } = await open(url);
    socket.send(call(1, "wait"));
    await expect.poll(waiting).toBe(1);
    socket.terminate();
    await expect.poll(() => endpoint.connections).toBe(0);
    release();
    await expect.poll(() => outcomes).toEqual(["abandoned"]);
  });

  test("many calls in one piece are worked on a few at a time", async () => {
    const { url, waiting, release } = await serve({ websocket: { messagesAtOnce: 4 } });
    const { socket, texts } = await open(url);
    for (let id = 0; id < 200; id += 1) socket.send(call(id, "wait"));
    await expect.poll(waiting).toBe(4);
    await expect
      .poll(() => {
        expect(waiting()).toBeLessThanOrEqual(4);
        release();
        return texts.length;
      })
      .toBe(200);
    socket.terminate();
  });
});
