import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createService, rpcHandler } from "../../../runtime/index.ts";
import { rpcWebSocket, type WebSocketEndpoint } from "../../../runtime/transport/websocket/index.ts";
import type { JsonRpcInterfaceDescriptor } from "../../../runtime/contract/index.ts";
import type { Project } from "../../unit/emit-project.ts";
import { tasksClient, tasksModel } from "./tasks.ts";
import { credentials, type Listening, serve, tasksProject, type TasksPackage, verifiers } from "./project.ts";

interface Doubling {
  readonly value: bigint;
  readonly others?: Readonly<Record<string, readonly bigint[]>>;
}

interface Handled {
  error(name: string, options?: object): Error;
}

let project: Project;
let client: TasksPackage;
let listening: Listening;
let endpoint: WebSocketEndpoint;
const notified: unknown[] = [];

const task = { id: "t1", title: "Read" };
const found = ["a", "b", "c", "d", "e", "f", "g"].map((id) => ({ id, title: `Task ${id}` }));
const handlers = {
  list: async (payload: object) => [{ id: JSON.stringify(payload), title: "Read" }],
  add: async ({ title }: { readonly title: string }, { error }: Handled) => {
    if (title === "gone") throw error("GONE", { data: { id: "t0" } });
    return task;
  },
  find: async ({ page = 0, size = 20 }: { readonly page?: number; readonly size?: number }) => ({
    tasks: found.slice(page * size, (page + 1) * size),
  }),
  seek: async ({ word, page }: { readonly word: string; readonly page: number }) =>
    page < 4 ? { matches: [`${word}${page}`] } : {},
  double: async ({ value, others = {} }: Doubling) => ({
    value: value * 2n,
    others: Object.fromEntries(
      Object.entries(others).map(([name, list]) => [name, list.map((each) => each * 2n)]),
    ),
    next: { value: 2n ** 64n, others: { none: [null] } },
  }),
  count: async () => 2,
  clear: async () => null,
  balance: async () => ({ amount: 12.5 }),
  touched: async (payload: object) => void notified.push(payload),
  ping: async () => "pong",
  call: async () => "called",
  remove: async () => true,
  archive: async () => null,
  staff: async () => "hello",
  proxied: async () => "hello",
  mine: async () => "hello",
};

beforeAll(async () => {
  project = await tasksProject();
  client = await import(`${project.root}/generated/tasks/client/index.ts`);
  const module: { readonly tasksInterface: JsonRpcInterfaceDescriptor } = await import(
    `${project.root}/generated/tasks/methods.ts`
  );
  const service = createService(module.tasksInterface, handlers, { auth: verifiers, onFailure() {} });
  listening = await serve(rpcHandler(service));
  endpoint = rpcWebSocket(service);
  endpoint.attach(listening.server);
});
afterAll(async () => {
  await listening.stop();
  await project.remove();
});

const http = (options: object = {}) =>
  client.createTasksClient({ url: `http://127.0.0.1:${listening.port}/rpc`, ...options });
const socket = (options: object = {}) =>
  client.createTasksSocket({ url: `ws://127.0.0.1:${listening.port}/rpc`, ...options });

function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const text = `${part({ alg: "HS256" })}.${part({ sub: "ada", scope: "tasks:write", exp: now + 60, iat: now })}`;
  return `${text}.${createHmac("sha256", credentials.signed.secret).update(text).digest("base64url")}`;
}

describe("the client of a standard interface, with the runtime's service", () => {
  test("writes parameters by position, leaves trailing ones out, and fills gaps with null", async () => {
    expect(await http().list()).toEqual([{ id: "{}", title: "Read" }]);
    expect(await http().list({ state: "OPEN" })).toEqual([{ id: '{"state":"OPEN"}', title: "Read" }]);
    expect(await http().list({ state: null, first: 3 })).toEqual([
      { id: '{"state":null,"first":3}', title: "Read" },
    ]);
    await expect(http().list({ first: 3 })).rejects.toThrow("state cannot be left out");
    await expect(http().list({ wrong: 3 })).rejects.toThrow("no parameter wrong");
  });

  test("gives results of any type", async () => {
    expect(await http().count()).toBe(2);
    expect(await http().clear()).toBeNull();
    expect(await http().ping({}, { id: "mine" })).toBe("pong");
    expect(await http().call_()).toBe("called");
    expect(await http().call("balance")).toEqual({ amount: 12.5 });
    expect((await http().raw("count")).envelope).toEqual({ jsonrpc: "2.0", id: 1, result: 2 });
  });

  test("reads a list that comes in pages item by item, over HTTP and over a WebSocket", async () => {
    expect(await Array.fromAsync(http().tasks.all())).toEqual(found);
    expect(await Array.fromAsync(http().tasks.all({ pageSize: 2 }))).toEqual(found);
    const open = socket({ auth: { machine: credentials.machine } });
    try {
      expect(await Array.fromAsync(open.tasks.all({ pageSize: 1 }))).toEqual(found);
      expect(await Array.fromAsync(open.matches.all({ word: "w" }))).toEqual(["w1", "w2", "w3"]);
    } finally {
      open.close();
    }
    await expect(Array.fromAsync(http().matches.all({ word: "w" }))).rejects.toThrow(
      "seek needs credentials",
    );
  });

  test("reads a list of small pages without overlaps, which some items could not have", () => {
    const lists = (...replaced: readonly (readonly [string, string])[]) =>
      tasksClient(tasksModel(...replaced)).find(({ path }) => path.endsWith("/client/lists.ts"))?.text;
    expect(lists()).toContain("everyItem(0,");
    expect(lists(["sizeMax: 20", "sizeMax: 3"])).not.toContain("everyItem");
  });

  test("refuses the paging of a result that has no fields", () => {
    expect(() => tasksModel(["result: Found", "result: array of Task"])).toThrow(
      "the result has no field `tasks`",
    );
  });

  test("keeps every digit of a bigint both ways, and fills in the default", async () => {
    const next = { value: 2n ** 64n, others: { none: [null] } };
    expect(await http().double()).toEqual({ value: 8n, others: {}, next });
    const value = 2n ** 63n + 1n;
    expect(await http().double({ value, others: { a: [-value, 1n], __proto__x: [] } })).toEqual({
      value: 2n * value,
      others: { a: [-2n * value, 2n], __proto__x: [] },
      next,
    });
    await expect(http().find({ page: value })).rejects.toMatchObject({
      code: -32602,
      data: { field: "/page", reason: "number-inexact" },
    });
    await expect(http().double({ value: 1.5 })).rejects.toMatchObject({ code: -32602 });
    await expect(http().double({ value: "1" })).rejects.toMatchObject({ data: { field: "/value" } });
  });

  test("throws errors by class, with code and data", async () => {
    const thrown = await http()
      .add({ title: "gone" })
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(client.GoneError);
    expect(thrown).not.toBeInstanceOf(client.FullError);
    expect(thrown).toMatchObject({ name: "ServiceError", code: -32010, message: "Gone", data: { id: "t0" } });
    await expect(http().add({ title: 3 })).rejects.toMatchObject({
      code: -32602,
      field: "/title",
      data: { field: "/title" },
    });
  });

  test("sends notifications", async () => {
    await http().notify("touched", { id: "t7" });
    expect(notified).toContainEqual({ id: "t7" });
  });

  test("gives the outcome of each call of a batch", async () => {
    const outcomes = await http().batch([
      { call: "count" },
      { notify: "touched", payload: { id: "t8" } },
      { call: "add", payload: { title: "gone" } },
      { call: "add", payload: { title: "Read" } },
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[0]?.value).toBe(2);
    expect(outcomes[2]?.reason).toBeInstanceOf(client.GoneError);
    await expect(http().batch([])).rejects.toThrow("1 to 4 calls");
  });

  test("proves who calls by every kind of scheme, by the first alternative that fits", async () => {
    const auth = credentials;
    expect(await http({ auth: { user: token } }).remove({ id: "t1" })).toBe(true);
    expect(await http({ auth }).remove({ id: "t1" })).toBe(true);
    expect(await http({ auth }).archive()).toBeNull();
    expect(await http({ auth }).staff()).toBe("hello");
    expect(await http({ auth }).mine()).toBe("hello");
    expect(await http({ auth }).batch([{ call: "remove", payload: { id: "t1" } }, { call: "mine" }])).toEqual(
      [
        { status: "fulfilled", value: true },
        { status: "fulfilled", value: "hello" },
      ],
    );
  });

  test("sends nothing without credentials, and says which are missing", async () => {
    const { machine } = credentials;
    await expect(http({ auth: { machine } }).remove({ id: "t1" })).rejects.toThrow(
      new TypeError("remove needs credentials in auth: user, or machine and signed"),
    );
    expect(() => http({ auth: { nobody: 1 } })).toThrow("auth: no scheme nobody");
    await expect(http({ auth: { user: "wrong" } }).remove({ id: "t1" })).rejects.toMatchObject({
      name: "ServiceError",
      status: 200,
    });
  });

  test("does the same over a WebSocket, and hears what the service tells", async () => {
    const open = socket({ auth: { machine: credentials.machine, signed: credentials.signed } });
    try {
      expect(await Promise.all([open.count(), open.list({ state: "DONE" }), open.clear()])).toEqual([
        2,
        [{ id: '{"state":"DONE"}', title: "Read" }],
        null,
      ]);
      await expect(open.add({ title: "gone" })).rejects.toBeInstanceOf(client.GoneError);
      expect(await open.remove({ id: "t1" })).toBe(true);
      expect(await open.batch([{ call: "count" }, { call: "ping" }])).toHaveLength(2);
      await expect(open.staff()).rejects.toThrow("staff needs credentials in auth");
      const told = new Promise((resolve) => void open.on("changed", resolve));
      endpoint.broadcast("changed", { id: "t9" });
      expect(await told).toEqual({ id: "t9" });
    } finally {
      open.close();
    }
    await expect(open.count({}, { attemptsMax: 1 })).rejects.toMatchObject({ name: "NetworkError" });
  });

  test("opens a lost connection again, and ends what waited on it", async () => {
    let opened = 0;
    const open = socket({ onOpen: () => (opened += 1), backoffMs: 1 });
    try {
      expect(await open.count()).toBe(2);
      listening.cut();
      expect(await open.count()).toBe(2);
      expect(opened).toBe(2);
    } finally {
      open.close();
    }
  });
});

describe("the fake service", () => {
  interface Fake {
    readonly client: ReturnType<TasksPackage["createTasksClient"]>;
    readonly options: object;
    readonly calls: readonly object[];
    answer(method: string, answerer: () => unknown): void;
    refuse(method: string, error: string, message?: string, data?: unknown): void;
    exampleResult(method: string): unknown;
    loseAnswers(count: number): void;
  }
  let fake: Fake;
  beforeAll(async () => {
    const { FakeTasks }: { readonly FakeTasks: new () => Fake } = await import(
      `${project.root}/generated/tasks/client/testing.ts`
    );
    fake = new FakeTasks();
  });

  test("gives a call that comes again under its key the first result", async () => {
    let made = 0;
    fake.answer("add", () => ({ id: `t${(made += 1)}`, title: "Read" }));
    fake.loseAnswers(1);
    expect(await fake.client.add({ title: "x" }, { idempotencyKey: "k1" })).toMatchObject({ id: "t1" });
    expect([made, fake.calls.length]).toEqual([1, 2]);
    expect(await fake.client.add({ title: "x" }, { idempotencyKey: "k2" })).toMatchObject({ id: "t2" });
  });

  test("gives a client that has credentials for every method", async () => {
    fake.answer("archive", () => null);
    for (const name of ["staff", "proxied", "mine"]) fake.answer(name, () => name);
    const { client: played } = fake;
    expect(await played.archive()).toBe(null);
    const answers = [await played.staff(), await played.proxied(), await played.mine()];
    expect(answers).toEqual(["staff", "proxied", "mine"]);
  });

  test("answers batches, notifications and refusals as the service does", async () => {
    fake.refuse("count", "GONE", "no more", { id: "t0" });
    const calls = [{ call: "double", payload: { value: 4n } }, { call: "count" }];
    const touched = { notify: "touched", payload: { id: "t1" } };
    const [doubled, counted, told] = await fake.client.batch([...calls, touched]);
    expect(doubled).toEqual({ status: "fulfilled", value: { value: 8n, others: {} } });
    expect(counted?.reason).toMatchObject({ code: -32010, message: "no more", data: { id: "t0" } });
    expect(told).toEqual({ status: "fulfilled", value: undefined });
    expect(fake.exampleResult("double")).toEqual({ value: 8, others: {} });
  });
});
