import { once } from "node:events";
import { connect } from "node:net";
import express from "express";
import { describe, expect, test } from "vitest";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import { rpc, type RpcOptions } from "../../runtime/transport/http/endpoint.ts";
import type { JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { until } from "../until.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith, method } from "./interface.ts";
import { listen } from "./listen.ts";

async function serve(changes: Partial<JsonRpcInterfaceDescriptor> = {}, options: RpcOptions = {}) {
  const trial = trialHandlers();
  const app = express();
  app.use("/rpc", rpc(interfaceWith(changes), trial.handlers, { onFailure() {}, ...options }));
  app.use((_request, response) => response.status(418).send("another"));
  const { port } = await listen(app);
  const url = `http://127.0.0.1:${port}/rpc`;
  const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
  return { ...trial, port, url, post };
}

const call = (name: string, params?: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params });

const request = (body: string): string =>
  `POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe("over HTTP", () => {
  test("answers a call, and nothing to notifications", async () => {
    const { post } = await serve();
    const answered = await post(call("subtract", [5, 3]));
    expect(answered.status).toBe(200);
    expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answered.text()).toBe('{"jsonrpc":"2.0","result":2,"id":1}');
    const notified = await post('{"jsonrpc":"2.0","method":"update"}');
    expect([notified.status, await notified.text()]).toEqual([204, ""]);
  });

  test("gives errors their own status where the interface maps them, never within a batch", async () => {
    const { post } = await serve({ http: { status: "mapped", notified: 202 } });
    const statusOf = async (body: string): Promise<number> => (await post(body)).status;
    expect(await statusOf(call("none"))).toBe(404);
    expect(await statusOf(call("fail", { how: "declared" }))).toBe(410);
    expect(await statusOf("{")).toBe(400);
    expect(await statusOf(`[${call("none")}]`)).toBe(200);
    expect(await statusOf('{"jsonrpc":"2.0","method":"none"}')).toBe(202);
  });

  test("says when to try again, where a caller was too fast", async () => {
    const { post } = await serve({}, { rate: { callsPerMinute: 2, burst: 1 }, clock: { now: () => 0 } });
    expect((await post(call("get_data"))).headers.get("retry-after")).toBeNull();
    const refused = await post(call("get_data"));
    expect(await refused.json()).toMatchObject({ error: { data: { retryAfter: 30 } } });
    expect(refused.headers.get("retry-after")).toBe("30");
    expect((await post(call("none"))).headers.get("retry-after")).toBeNull();
  });

  test("says which credentials would do, whatever the status", async () => {
    const key: SchemeVerifier = {
      kind: "bearer",
      bind: () => ({
        verifies: "request",
        challenge: 'Bearer realm="trial"',
        verify: () => ({ kind: "missing" }),
      }),
    };
    const changes = {
      schemes: { key: { kind: "bearer" } },
      methods: { get_data: method("get_data", { security: [{ key: [] }] }) },
    };
    for (const [status, expected] of [
      ["ok", 200],
      ["mapped", 401],
    ] as const) {
      const handler = rpc(
        interfaceWith({ ...changes, http: { status, notified: 204 } }),
        { get_data: async () => 1 },
        { auth: { key } },
      );
      const { port } = await listen(handler);
      const headers = { "content-type": "application/json" };
      const answered = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers,
        body: call("get_data"),
      });
      expect([answered.status, answered.headers.get("www-authenticate")]).toEqual([
        expected,
        'Bearer realm="trial"',
      ]);
    }
  });

  test.for([
    ["GET", 405],
    ["PUT", 405],
    ["HEAD", 405],
    ["OPTIONS", 204],
  ] as const)("%s is answered with %i and the methods that there are", async ([httpMethod, status]) => {
    const { url } = await serve();
    const answered = await fetch(url, { method: httpMethod });
    expect([answered.status, answered.headers.get("allow")]).toEqual([status, "OPTIONS, POST"]);
  });

  test.for([
    ["text/plain", 415],
    ["application/json; charset=latin1", 415],
    ["application/jsonp", 415],
    ["application/json-rpc", 200],
    ["application/json; profile=x", 200],
    ['Application/JSON; charset="UTF-8"', 200],
  ] as const)("a body of type %s is answered with %i", async ([type, status]) => {
    const { post } = await serve();
    expect((await post(call("get_data"), { "content-type": type })).status).toBe(status);
  });

  test("refuses compressed bodies", async () => {
    const { post } = await serve();
    const answered = await post(call("get_data"), { "content-encoding": "gzip" });
    expect(answered.status).toBe(415);
    expect(await answered.json()).toMatchObject({
      id: null,
      error: { data: { reason: "content-encoding" } },
    });
  });

  test("refuses a body above the limit with 413", async () => {
    const { post } = await serve({}, { limits: { messageBytes: 100 } });
    const answered = await post(call("echo", { text: "x".repeat(100) }));
    expect(answered.status).toBe(413);
    expect(await answered.json()).toMatchObject({ id: null, error: { code: -32013 } });
  });

  test("after express.json() answers 500 with the reason", async () => {
    const failures: unknown[] = [];
    const app = express();
    const options: RpcOptions = { onFailure: ({ error }) => failures.push(error) };
    app.use(express.json(), rpc(interfaceWith(), trialHandlers().handlers, options));
    const { port } = await listen(app);
    const answered = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: call("get_data"),
    });
    expect(answered.status).toBe(500);
    expect(await answered.json()).toMatchObject({
      error: { code: -32603, data: { reason: "body-already-read" } },
    });
    expect(failures).toEqual([
      expect.objectContaining({ message: expect.stringContaining("express.json()") }),
    ]);
  });

  test("passes paths below its own on, and serves without Express", async () => {
    const { url } = await serve();
    expect((await fetch(`${url}/below`, { method: "POST" })).status).toBe(418);
    const { port } = await listen(rpc(interfaceWith(), trialHandlers().handlers));
    const answered = await fetch(`http://127.0.0.1:${port}/any`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: call("get_data"),
    });
    expect(await answered.json()).toMatchObject({ result: ["hello", 5] });
  });
});

describe("hostile callers over HTTP", () => {
  test("a body that never ends is answered with 408, and others meanwhile", async () => {
    const { pass } = timersByHand();
    const { port, post } = await serve({}, { http: { bodyTimeoutMs: 1000 } });
    const slow = connect(port, "127.0.0.1");
    slow.write(
      "POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    );
    const texts: string[] = [];
    slow.on("data", (chunk) => texts.push(String(chunk)));
    expect((await post(call("get_data"))).status).toBe(200);
    await until(() => {
      pass(1000);
      return slow.closed;
    });
    expect(texts.join("")).toMatch(/^HTTP\/1.1 408 [^]*"reason":"body-too-slow"/);
  });

  test("ten megabytes of nested arrays are refused, and others answered", async () => {
    const { post } = await serve({}, { limits: { messageBytes: 16 * 1024 * 1024 } });
    const answered = await post("[".repeat(5_000_000) + "]".repeat(5_000_000));
    expect(await answered.json()).toMatchObject({
      id: null,
      error: { code: -32700, data: { reason: "too-deep" } },
    });
    expect((await post(call("get_data"))).status).toBe(200);
  });

  test("pipelined calls are answered in order, however long they take", async () => {
    const { port, release, waiting } = await serve();
    const socket = connect(port, "127.0.0.1");
    socket.write(request(call("wait")) + request(call("get_data")));
    let text = "";
    const both = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        text += String(chunk);
        if (text.includes("hello")) resolve();
      });
    });
    await expect.poll(waiting).toBe(1);
    release();
    await both;
    socket.destroy();
    expect(text.indexOf("done")).toBeLessThan(text.indexOf("hello"));
  });

  test("what is left unread has room together: who has read nothing for longest goes first", async () => {
    // More than the buffers of the operating system take at once.
    const bytes = 16_000_000;
    const handler = rpc(
      interfaceWith({ methods: { large: method("large") } }),
      { large: async () => "x".repeat(bytes) },
      { http: { unreadBytes: 1_000_000 } },
    );
    const { port } = await listen(handler);
    const leaveUnread = async (count: number) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      const begun = once(socket, "data");
      socket.write(request(call("large")).repeat(count));
      await begun;
      return { socket: socket.pause(), closed };
    };
    const alone = await leaveUnread(2);
    alone.socket.resume();
    await alone.closed;
    expect(alone.socket.bytesRead).toBeLessThan(bytes);
    const first = await leaveUnread(1);
    const second = await leaveUnread(1);
    for (const { socket } of [first, second]) socket.resume();
    await first.closed;
    expect(first.socket.bytesRead).toBeLessThan(bytes);
    await until(() => second.socket.bytesRead > bytes);
    second.socket.destroy();
  });

  test("a caller that reads gets answers that are larger than the room, one after the other", async () => {
    const { post } = await serve({}, { http: { unreadBytes: 1000 } });
    for (let count = 0; count < 3; count += 1) {
      const answered = await post(call("echo", { text: "x".repeat(500_000) }));
      expect((await answered.text()).length).toBeGreaterThan(500_000);
    }
  });

  test("a caller that goes away while a call is at work aborts its signal", async () => {
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<unknown>();
    const handler = rpc(interfaceWith({ methods: { look: method("look") } }), {
      look: async (_payload: object, { signal }: { readonly signal: AbortSignal }) => {
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        begun.resolve();
        await aborted.promise;
      },
    });
    const { port } = await listen(handler);
    const socket = connect(port, "127.0.0.1");
    socket.write(request(call("look")));
    await begun.promise;
    socket.destroy();
    expect(await aborted.promise).toMatchObject({ message: "the caller has left" });
  });

  test("a caller that goes away leaves nothing behind", async () => {
    const { port, post } = await serve({}, { http: { unfinishedBytes: 1000 } });
    for (let count = 0; count < 5; count += 1) {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 990\r\n\r\n${"x".repeat(900)}`,
      );
      await new Promise<void>((resolve) => socket.end(() => resolve()));
    }
    const large = call("echo", { text: "x".repeat(900) });
    await expect.poll(async () => (await post(large)).status).toBe(200);
  });
});
