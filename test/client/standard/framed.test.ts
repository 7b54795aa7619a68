import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Frame } from "../../../conformance/base/frame.ts";
import { createService, rpcHandler } from "../../../runtime/index.ts";
import { rpcWebSocket, type WebSocketEndpoint } from "../../../runtime/transport/websocket/index.ts";
import type { JsonRpcInterfaceDescriptor } from "../../../runtime/contract/index.ts";
import { compile, type Project } from "../../unit/emit-project.ts";
import { credentials, type Listening, serve, tasksProject, type TasksPackage, verifiers } from "./project.ts";
import { tasksModel } from "./tasks.ts";

const frame: Frame = {
  version: { member: "x-v", value: "1" },
  id: "ref",
  method: "cmd",
  params: "args",
  result: "is-ok",
  error: "fail",
};

let project: Project;
let client: TasksPackage;
let listening: Listening;
let endpoint: WebSocketEndpoint;
const sent: string[] = [];
const came: string[] = [];
const notified: unknown[] = [];

interface Handled {
  error(name: string, options?: object): Error;
}

beforeAll(async () => {
  const model = tasksModel();
  const wire = { ...model.wire, frame };
  project = await tasksProject({ ...model, wire });
  client = await import(`${project.root}/generated/tasks/client/index.ts`);
  const module: { readonly tasksInterface: JsonRpcInterfaceDescriptor } = await import(
    `${project.root}/generated/tasks/methods.ts`
  );
  const service = createService(module.tasksInterface, handlers(), { auth: verifiers, onFailure() {} });
  listening = await serve(rpcHandler(service));
  endpoint = rpcWebSocket(service);
  endpoint.attach(listening.server);
});
afterAll(async () => {
  await listening.stop();
  await project.remove();
});

function handlers() {
  const names = ["find", "seek", "clear", "balance", "ping", "call", "remove", "archive", "staff", "proxied"];
  return {
    ...Object.fromEntries([...names, "mine", "list"].map((name) => [name, async () => null])),
    add: async ({ title }: { readonly title: string }, { error }: Handled) => {
      if (title === "gone") throw error("GONE", { data: { id: "t0" } });
      return { id: "t1", title };
    },
    double: async ({ value }: { readonly value: bigint }) => ({ value: value * 2n, others: {} }),
    count: async () => 2,
    touched: async (payload: object) => void notified.push(payload),
  };
}

const options = {
  auth: credentials,
  async fetch(url: string, init: RequestInit) {
    sent.push(String(init.body));
    const response = await fetch(url, init);
    came.push(await response.clone().text());
    return response;
  },
};
const overHttp = () =>
  client.createTasksClient({ ...options, url: `http://127.0.0.1:${listening.port}/rpc` });

test("client and service name the members of messages as their frame does", async () => {
  await expect(overHttp().count()).resolves.toBe(2);
  expect(sent.at(-1)).toMatch(/^\{"x-v":"1","ref":[^,]+,"cmd":"[^"]*count"\}$/i);
  expect(came.at(-1)).toMatch(/^\{"x-v":"1",.*"is-ok":2/);
  await expect(overHttp().add({ title: "gone" })).rejects.toThrow(client.GoneError);
  expect(JSON.parse(came.at(-1) ?? "")).toMatchObject({ "x-v": "1", fail: { data: { id: "t0" } } });
});

test("large integers keep their digits", async () => {
  await expect(overHttp().double({ value: 2n ** 70n })).resolves.toMatchObject({ value: 2n ** 71n });
});

test("batches and notifications travel so too", async () => {
  const outcomes = await overHttp().batch([{ call: "count" }, { call: "add", payload: { title: "gone" } }]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await overHttp().notify("touched", { id: "t1" });
  expect(notified).toEqual([{ id: "t1" }]);
  expect(sent.at(-1)).toBe('{"x-v":"1","cmd":"touched","args":{"id":"t1"}}');
});

test("calls over a WebSocket find their answers, and listeners hear what the service tells", async () => {
  const socket = client.createTasksSocket({
    url: `ws://127.0.0.1:${listening.port}/rpc`,
    auth: { machine: credentials.machine },
  });
  await expect(socket.count()).resolves.toBe(2);
  await expect(socket.add({ title: "gone" })).rejects.toThrow(client.GoneError);
  const told = new Promise((resolve) => void socket.on("changed", resolve));
  endpoint.broadcast("changed", { id: "t9" });
  expect(await told).toEqual({ id: "t9" });
  socket.close();
});

test("a fake service reads calls, and answers them from the examples", async () => {
  const { FakeTasks }: { readonly FakeTasks: new () => { readonly options: object } } = await import(
    `${project.root}/generated/tasks/client/testing.ts`
  );
  const faked = client.createTasksClient({ ...new FakeTasks().options, auth: credentials });
  await expect(faked.add({ title: "Read" })).resolves.toEqual({ id: "t1", title: "Read" });
});

test("documents and pages say what the messages are", () => {
  const text = (file: string) => readFileSync(join(project.root, "generated/tasks", file), "utf8");
  expect(JSON.parse(text("openrpc.json"))).toMatchObject({ "x-frame": frame });
  expect(text("reference/authentication.html")).toContain("Every call is a json-rpc-2.0 request");
  expect(text("client/README.md")).toContain("over json-rpc-2.0.");
  const named = /"(?:jsonrpc|params|result|error|method(?=":))"|JSON-RPC/;
  expect(text("openapi.one-path.json")).not.toMatch(named);
  expect(text("asyncapi.json")).not.toMatch(named);
});

test("the generated client compiles", async () => {
  expect(await compile(project.root, ["generated/tasks/client"])).toBe("");
});
