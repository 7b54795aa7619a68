import jayson from "jayson/promise/index.js";
import { JSONRPCClient, type JSONRPCResponse } from "json-rpc-2.0";
import { WebSocket } from "ws";
import { afterEach, describe, expect, test } from "vitest";
import { createService, rpcHandler } from "../../runtime/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith } from "./interface.ts";
import { listen } from "./listen.ts";

const sockets: WebSocket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

async function serve() {
  const trial = trialHandlers();
  const service = createService(interfaceWith(), trial.handlers, { onFailure() {} });
  const { port, server } = await listen(rpcHandler(service));
  rpcWebSocket(service).attach(server);
  return { ...trial, port };
}

/** What every client library has to get from the service. */
interface AnyClient {
  call(method: string, params?: object): Promise<unknown>;
  notify(method: string, params?: object): Promise<void>;
}

async function tryAll({ call, notify }: AnyClient, recorded: () => readonly string[]): Promise<void> {
  expect(await call("subtract", [42, 23])).toBe(19);
  expect(await call("subtract", { subtrahend: 23, minuend: 42 })).toBe(19);
  expect(await call("get_data")).toEqual(["hello", 5]);
  expect(await call("foobar")).toBeNull();
  await expect(call("foobaz")).rejects.toMatchObject({ code: -32601, message: "Method not found" });
  await expect(call("subtract", [1])).rejects.toMatchObject({
    code: -32602,
    data: { field: "/subtrahend", reason: "required" },
  });
  await expect(call("fail", ["declared"])).rejects.toMatchObject({ code: -32010, data: { task: "t1" } });
  await expect(call("fail")).rejects.toMatchObject({ code: -32603, message: "Internal error" });
  await notify("notify_hello", [7]);
  await expect.poll(recorded).toContain("notify_hello");
}

describe("jayson", () => {
  /** A jayson client gives whole responses. */
  function callsOf(client: jayson.Client): AnyClient {
    return {
      async call(method, params) {
        const response: { result?: unknown; error?: object } = await client.request(method, params ?? []);
        if (response.error !== undefined) throw response.error;
        return response.result;
      },
      async notify(method, params) {
        const notification: jayson.JSONRPCRequest = { jsonrpc: "2.0", method, params: params ?? [] };
        // It has no response, over WebSocket not even an empty one.
        void client.request([notification]);
      },
    };
  }

  test("calls over HTTP", async () => {
    const { port, recorded } = await serve();
    const client = jayson.Client.http({ host: "127.0.0.1", port, path: "/" });
    await tryAll(callsOf(client), () => recorded.map(({ method }) => method));
  });

  test("sends batches over HTTP", async () => {
    const { port } = await serve();
    const client = jayson.Client.http({ host: "127.0.0.1", port, path: "/" });
    const batch = [
      client.request("sum", [1, 2, 4], undefined, false),
      { jsonrpc: "2.0", method: "update", params: [] } satisfies jayson.JSONRPCRequest,
      client.request("foobaz", [], undefined, false),
    ];
    expect(await client.request(batch)).toMatchObject([{ result: 7 }, { error: { code: -32601 } }]);
  });

  test("calls over WebSocket", async () => {
    const { port, recorded } = await serve();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`);
    sockets.push(socket);
    const client = jayson.Client.websocket({ ws: socket });
    await new Promise((resolve) => socket.on("open", resolve));
    await tryAll(callsOf(client), () => recorded.map(({ method }) => method));
  });
});

describe("json-rpc-2.0", () => {
  function callsOf(client: JSONRPCClient): AnyClient {
    return {
      call: async (method, params) => client.request(method, params),
      notify: async (method, params) => client.notify(method, params),
    };
  }

  test("calls and sends batches over HTTP", async () => {
    const { port, recorded } = await serve();
    const client: JSONRPCClient = new JSONRPCClient(async (payload) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(payload),
      });
      const text = await response.text();
      if (text !== "") client.receive(JSON.parse(text));
    });
    await tryAll(callsOf(client), () => recorded.map(({ method }) => method));
    const responses: readonly JSONRPCResponse[] = await client.requestAdvanced([
      { jsonrpc: "2.0", id: "a", method: "sum", params: [1, 2, 4] },
      { jsonrpc: "2.0", id: "b", method: "foobaz" },
    ]);
    expect(responses).toMatchObject([{ result: 7 }, { error: { code: -32601 } }]);
  });

  test("calls over WebSocket", async () => {
    const { port, recorded } = await serve();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`);
    sockets.push(socket);
    const client = new JSONRPCClient((payload) => {
      socket.send(JSON.stringify(payload));
    });
    socket.on("message", (data) => client.receive(JSON.parse(String(data))));
    await new Promise((resolve) => socket.on("open", resolve));
    await tryAll(callsOf(client), () => recorded.map(({ method }) => method));
  });
});
