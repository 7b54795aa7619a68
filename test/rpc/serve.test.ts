import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { describe, expect, onTestFinished, test } from "vitest";
import { createService, rpcHandler, serve, type ServeOptions } from "../../runtime/index.ts";
import { rpcWebSocket, type WebSocketOptions } from "../../runtime/transport/websocket/index.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith } from "./interface.ts";
import { patienceMs } from "../until.ts";

async function served(options: Partial<ServeOptions> = {}, webSocket: WebSocketOptions = {}) {
  const trial = trialHandlers();
  const outcomes: string[] = [];
  const service = createService(interfaceWith(), trial.handlers, {
    onFailure() {},
    onCall: ({ outcome }) => outcomes.push(outcome),
  });
  const app = await serve(rpcHandler(service), { port: 0, ...options });
  onTestFinished(() => void app.close(0));
  const endpoint = rpcWebSocket(service, { closeMs: patienceMs, ...webSocket });
  endpoint.attach(app.server);
  const port = Number(new URL(app.url).port);
  return { ...trial, outcomes, app, port, endpoint };
}

const call = (id: number, name: string, params?: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: name, params });
const headOf = (body: string): string =>
  `POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const request = (body: string): string => headOf(body) + body;

/** A caller that keeps what it receives. */
function caller(port: number) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const received = { text: "" };
  socket.on("data", (chunk) => (received.text += String(chunk)));
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("end", resolve));
  return { socket, received, closed };
}

describe("an app on a port of its own", () => {
  test("two calls of a connection are worked on at once, and others are answered meanwhile", async () => {
    const { app, port, waiting, release } = await served();
    const { socket, received } = caller(port);
    socket.write(Array.from({ length: 50 }, (_call, id) => request(call(id, "wait"))).join(""));
    await expect.poll(waiting).toBe(2);
    const answered = await fetch(`${app.url}/rpc`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: call(1, "get_data"),
    });
    expect(await answered.json()).toMatchObject({ result: ["hello", 5] });
    await expect
      .poll(() => {
        expect(waiting()).toBeLessThanOrEqual(2);
        release();
        return received.text.match(/"done"/g)?.length;
      })
      .toBe(50);
    socket.destroy();
  });

  test("a caller that closes its connection has left", async () => {
    const { outcomes, port, waiting, release } = await served();
    const { socket } = caller(port);
    socket.write(request(call(1, "wait")));
    await expect.poll(waiting).toBe(1);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.end();
    await closed;
    release();
    await expect.poll(() => outcomes).toEqual(["abandoned"]);
  });

  test("a close answers every call that has arrived, and ends connections that go on asking", async () => {
    const { app, port, waiting, release } = await served();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = (id: number, name: string): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json" };
        const asked = httpRequest({ agent, port, path: "/rpc", method: "POST", headers }, (response) => {
          response.resume();
          response.once("end", () => resolve(response.headers.connection));
        });
        asked.on("error", reject);
        asked.end(call(id, name));
      });
    const atWork = ask(1, "wait");
    await expect.poll(waiting).toBe(1);
    const closed = app.close(patienceMs);
    const next = ask(2, "get_data");
    release();
    expect([await atWork, await next]).toEqual(["keep-alive", "close"]);
    expect(await closed).toEqual({ answered: 2, cut: 0 });
  });

  test("a close answers every message of a WebSocket that has come", async () => {
    const { port, endpoint, waiting, release } = await served({}, { messagesAtOnce: 1 });
    const { socket, received, closed } = caller(port);
    const texts = Array.from({ length: 20 }, (_call, id) => call(id, "wait", {}));
    socket.write(Buffer.concat([handshake, ...texts.map(frameOf)]));
    await expect.poll(waiting).toBe(1);
    const closing = endpoint.close();
    await expect
      .poll(() => {
        release();
        return received.text.match(/"done"/g)?.length;
      })
      .toBe(20);
    socket.end();
    await Promise.all([closed, closing]);
  });

  test("above the limit of connections the idle ones give way", async () => {
    const { pass } = timersByHand();
    const { app, port } = await served({ connectionsMax: 2, sweepEveryMs: 1000 });
    const idle = [caller(port), caller(port)];
    await expect.poll(app.connections).toBe(2);
    const answered = async (): Promise<number> => {
      const response = await fetch(`${app.url}/rpc`, {
        method: "POST",
        headers: { "content-type": "application/json", connection: "close" },
        body: call(1, "get_data"),
      });
      return response.status;
    };
    expect(await answered()).toBe(503);
    pass(3000);
    expect(await answered()).toBe(200);
    for (const { socket } of idle) socket.destroy();
  });

  test("a WebSocket reads what came with its handshake, is counted by its own limits, and is waited for", async () => {
    const { app, port, endpoint, recorded, waiting, release } = await served({ connectionsMax: 1 });
    const early = caller(port);
    const texts = Array.from({ length: 40 }, (_call, id) => call(id, "echo", { text: "x".repeat(200) }));
    early.socket.write(Buffer.concat([handshake, ...texts.map(frameOf)]));
    await expect.poll(() => recorded.length).toBe(40);
    expect(recorded.every(({ payload }) => JSON.stringify(payload).length > 200)).toBe(true);
    expect(app.connections()).toBe(0);
    early.socket.destroy();
    const client = new WebSocket(`${app.url.replace("http", "ws")}/rpc`);
    await new Promise((resolve) => client.once("open", resolve));
    const answer = new Promise((resolve) => client.once("message", (data) => resolve(String(data))));
    client.send(call(1, "wait"));
    await expect.poll(waiting).toBe(1);
    const closed = Promise.all([app.close(patienceMs), endpoint.close()]);
    release();
    expect(await answer).toContain('"done"');
    expect(await closed).toEqual([{ answered: 0, cut: 0 }, undefined]);
  });
});

/** The nonce of a WebSocket's example (RFC 6455, section 1.3). */
const handshake = Buffer.from(
  "GET /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
);

/** A text frame of a client, masked by zeros (RFC 6455, section 5.2). */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head[0] = 0x81;
  head[1] = 0x80 | 126;
  // Longer than it has to be for short ones, which `ws` takes.
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
