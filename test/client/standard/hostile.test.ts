import jayson from "jayson";
import { JSONRPCErrorException, JSONRPCServer } from "json-rpc-2.0";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Project } from "../../unit/emit-project.ts";
import { createProject } from "../../unit/emit-project.ts";
import { type Listening, serve, type TasksClient, type TasksPackage } from "./project.ts";
import { tasksClient } from "./tasks.ts";

let project: Project;
let client: TasksPackage;
const servers: Listening[] = [];

beforeAll(async () => {
  project = await createProject(tasksClient());
  client = await import(`${project.root}/generated/tasks/client/index.ts`);
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});
afterAll(() => project.remove());

interface Received {
  readonly id: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A client of a service that answers each request by the next of these texts; the last for good. */
async function answering(
  answers: readonly (string | ((request: Received) => string) | number)[],
  options: object = {},
): Promise<{ readonly tasks: TasksClient; readonly received: Received[] }> {
  const received: Received[] = [];
  const server = await serve(async (request, response) => {
    const body = await text(request);
    const { id } = JSON.parse(body);
    const one = { id, headers: request.headers, body };
    received.push(one);
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? "";
    if (typeof answer === "number") response.writeHead(answer).end();
    else response.end(typeof answer === "string" ? answer : answer(one));
  });
  servers.push(server);
  const url = `http://127.0.0.1:${server.port}/rpc`;
  return { tasks: client.createTasksClient({ url, attemptsMax: 1, backoffMs: 0, ...options }), received };
}

const nameOf = async (call: Promise<unknown>) =>
  await call.then(
    () => "fulfilled",
    (error: unknown) => (error instanceof Error ? error.name : "no error"),
  );

describe("an answer", () => {
  test.each([
    ["with another id", '{"jsonrpc":"2.0","id":99,"result":1}'],
    ["with the id as a text", '{"jsonrpc":"2.0","id":"1","result":1}'],
    ["without an id", '{"jsonrpc":"2.0","result":1}'],
    ["with a result and an error", '{"id":1,"result":1,"error":{"code":1,"message":"x"}}'],
    ["with neither", '{"id":1}'],
    ["with a code that is no integer", '{"id":1,"error":{"code":"GONE","message":"x"}}'],
    ["twice in a list", '[{"id":1,"result":1},{"id":1,"result":2}]'],
    ["that is a call", '{"id":1,"method":"count","result":1}'],
    ["that is no JSON", "<html>"],
    ["that is nothing", ""],
    ["that is null", "null"],
    ["with an id in its prototype", '{"__proto__":{"id":1,"result":1}}'],
  ])("%s is not believed", async (_what, answer) => {
    const { tasks } = await answering([answer]);
    expect(await nameOf(tasks.count())).toBe("UnreadableResponseError");
  });

  test("larger than allowed is not read to its end", async () => {
    const { tasks } = await answering([`{"id":1,"result":"${"x".repeat(1_000_000)}"}`], {
      answerBytesMax: 1000,
    });
    expect(await nameOf(tasks.count())).toBe("UnreadableResponseError");
  });

  test("with an error without id is the answer", async () => {
    const { tasks } = await answering([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ]);
    await expect(tasks.count()).rejects.toMatchObject({ name: "ServiceError", code: -32700 });
  });

  test("with a code that only a newer service knows comes through", async () => {
    const { tasks } = await answering(['{"id":1,"error":{"code":77,"message":"New","data":[1]}}']);
    await expect(tasks.count()).rejects.toMatchObject({ code: 77, message: "New", data: [1] });
  });

  test("changes no prototype", async () => {
    const answer =
      '{"id":1,"result":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
    const { tasks } = await answering([answer, answer.replace("result", "error")]);
    await tasks.count();
    await tasks.count().catch(() => {});
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("keeps every digit of money", async () => {
    const { tasks } = await answering(['{"id":1,"result":{"amount":9007199254740993.10}}']);
    const { envelope } = await tasks.raw("balance");
    expect(client.money.digits(envelope?.result ?? {}, "amount")).toBe("9007199254740993.10");
  });

  test("by a name that shares its code is told apart by its message", async () => {
    const { tasks } = await answering(['{"id":1,"error":{"code":-32011,"message":"Crowded"}}']);
    const error = await tasks.add({ title: "x" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(client.CrowdedError);
    expect(error).not.toBeInstanceOf(client.FullError);
  });
});

describe("a batch", () => {
  const three = [{ call: "count" }, { call: "ping" }, { call: "clear" }];

  test("may be answered in any order, and in part", async () => {
    const { tasks } = await answering([
      '[{"id":3,"result":null},{"id":9,"result":1},{"id":1,"error":{"code":5,"message":"no"}}]',
    ]);
    const outcomes = await tasks.batch(three);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(outcomes[0]?.reason).toMatchObject({ name: "ServiceError", code: 5 });
    expect(outcomes[1]?.reason?.name).toBe("UnreadableResponseError");
  });

  test("may be refused as a whole", async () => {
    const { tasks } = await answering(['{"id":null,"error":{"code":-32600,"message":"Invalid Request"}}']);
    const outcomes = await tasks.batch(three);
    expect(outcomes.map(({ reason }) => reason)).toMatchObject(three.map(() => ({ code: -32600 })));
  });

  test("of notifications alone fails where it was refused", async () => {
    const { tasks } = await answering([503]);
    expect(await nameOf(tasks.batch([{ notify: "touched", payload: { id: "1" } }]))).toBe(
      "UnreadableResponseError",
    );
  });
});

describe("another attempt", () => {
  const done = ({ id }: Received) => JSON.stringify({ jsonrpc: "2.0", id, result: 7 });

  test("is made of what reads and sets", async () => {
    const { tasks, received } = await answering([503, done], { attemptsMax: 4 });
    expect(await tasks.count()).toBe(7);
    expect(received).toHaveLength(2);
  });

  test("is not made of what creates, unless under an idempotency key", async () => {
    const { tasks, received } = await answering([503, done], { attemptsMax: 4 });
    expect(await nameOf(tasks.add({ title: "x" }))).toBe("UnreadableResponseError");
    expect(received).toHaveLength(1);
    const other = await answering([503, done], { attemptsMax: 4 });
    expect(await other.tasks.add({ title: "x" }, { idempotencyKey: "k" })).toBe(7);
    expect(other.received.map(({ headers }) => headers["idempotency-key"])).toEqual(["k", "k"]);
  });

  test("is made of what creates where the service says that it has done nothing", async () => {
    const busy = ({ id }: Received) =>
      JSON.stringify({ id, error: { code: -32093, message: "Too many calls" } });
    const { tasks } = await answering([429, busy, done], { attemptsMax: 4 });
    expect(await tasks.add({ title: "x" })).toBe(7);
  });

  test("is not made of a batch that creates", async () => {
    const { tasks, received } = await answering([503], { attemptsMax: 4 });
    await tasks.batch([{ call: "count" }, { call: "add", payload: { title: "x" } }]);
    expect(received).toHaveLength(1);
  });
});

describe("a call", () => {
  test("is given up by its signal, or after its time", async () => {
    const server = await serve(() => {});
    servers.push(server);
    const tasks = client.createTasksClient({ url: `http://127.0.0.1:${server.port}/rpc`, attemptsMax: 1 });
    const reason = new Error("enough");
    await expect(tasks.count({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await nameOf(tasks.count({}, { attemptTimeoutMs: 5 }))).toBe("TimeoutError");
  });

  test("that cannot be written is not sent", async () => {
    const { tasks, received } = await answering([""]);
    await expect(tasks.list({ limit: Number.NaN })).rejects.toThrow(TypeError);
    await expect(tasks.count({}, { id: 1.5 })).rejects.toThrow("id: a text or a whole number");
    await expect(tasks.notify("touched", { id: "1" }, { id: 1 })).rejects.toThrow("a notification has none");
    await expect(tasks.call("nothing")).rejects.toThrow("no method nothing");
    expect(received).toEqual([]);
    expect(() => client.createTasksClient({ url: "ftp://x" })).toThrow("url: http://host/path");
    expect(() => client.createTasksClient({ url: "http://user:secret@x/rpc" })).toThrow(
      /^url: http:\/\/host\/path$/,
    );
  });

  test("has headers that are asked for before every attempt, and fails with what asking throws", async () => {
    let asked = 0;
    const authorize = async (url: string) => ({ "x-gateway": `${new URL(url).pathname} ${(asked += 1)}` });
    const auth = { machine: "key", signed: { keyId: "k", secret: "s" } };
    const { tasks, received } = await answering([503, '{"id":1,"result":true}'], {
      authorize,
      auth,
      attemptsMax: 2,
    });
    expect(await tasks.remove({ id: "t1" })).toBe(true);
    expect(received.map(({ headers }) => headers["x-gateway"])).toEqual(["/rpc 1", "/rpc 2"]);
    expect(received[1]?.headers).toMatchObject({ "x-api-key": "key" });
    const broken = await answering([""], { authorize: () => Promise.reject(new RangeError("no token")) });
    await expect(broken.tasks.count()).rejects.toThrow(RangeError);
    expect(broken.received).toEqual([]);
  });

  test("shows hooks neither sensitive values nor credentials", async () => {
    const seen: unknown[] = [];
    const hooks = {
      before: (start: object) => void seen.push(start),
      after: (end: object) => void seen.push(end),
    };
    const { tasks } = await answering(['{"id":1,"result":{"id":"t1","title":"x"}}'], { hooks });
    await tasks.add({ title: "x", secret: "hidden" });
    expect(seen).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toContain("hidden");
    expect(seen[1]).toMatchObject({
      method: "add",
      attempts: 1,
      status: 200,
      body: { result: { id: "t1" } },
    });
  });
});

describe("a WebSocket", () => {
  type Listeners = Record<string, (event: object) => void>;
  /** A WebSocket that does with what is sent as it is told. */
  const over = (sent: (text: string, listeners: Listeners, headers: object) => void, options: object = {}) =>
    client.createTasksSocket({
      url: "ws://fake.invalid/rpc",
      attemptsMax: 1,
      ...options,
      open: (_url: string, headers: object) => {
        const listeners: Listeners = {};
        setImmediate(() => listeners["open"]?.({}));
        return {
          send: (message: string) => sent(message, listeners, headers),
          close: () => listeners["close"]?.({ code: 1000 }),
          addEventListener: (type: string, listener: (event: object) => void) => {
            const before = listeners[type];
            listeners[type] = (event) => [before, listener].forEach((one) => one?.(event));
          },
        };
      },
    });

  test("that breaks while it sends, or behind it, ends the call", async () => {
    const throwing = over(() => {
      throw new Error("broken");
    });
    expect(await nameOf(throwing.count())).toBe("NetworkError");
    throwing.close();
    const closing = over((_text, listeners) => listeners["close"]?.({ code: 1006 }));
    const error = await closing.count().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "NetworkError",
      cause: { message: "the connection was closed (1006)" },
    });
  });

  test("asks for the headers of its handshake", async () => {
    const authorize = async () => ({ "x-gateway": "token" });
    const socket = over(
      (text, { message }, headers) =>
        message?.({
          data: JSON.stringify({ id: JSON.parse(text).id, result: Object.entries(headers).join() }),
        }),
      { authorize },
    );
    expect(await socket.count()).toBe("x-gateway,token");
    socket.close();
  });

  test("that brings what is not asked for brings no answer by it", async () => {
    const socket = over((text, { message }) => {
      const { id } = JSON.parse(text);
      for (const data of ["[", "null", '{"id":77,"result":1}', '{"method":"other","params":{}}'])
        message?.({ data });
      message?.({ data: JSON.stringify({ id, method: "count", result: 9 }) });
      message?.({ data: JSON.stringify({ id, result: 3 }) });
    });
    expect(await socket.count()).toBe(3);
    socket.close();
  });
});

describe("other libraries' services", () => {
  async function tryService(tasks: TasksClient): Promise<void> {
    expect(await tasks.count()).toBe(2);
    expect(await tasks.list({ state: "OPEN", limit: 1 })).toEqual([{ id: "OPEN", title: "1" }]);
    expect(await tasks.add({ title: "Read" })).toEqual({ id: "t1", title: "Read" });
    await expect(tasks.add({ title: "gone" })).rejects.toBeInstanceOf(client.GoneError);
    await expect(tasks.ping()).rejects.toBeInstanceOf(client.MethodNotFoundError);
    await tasks.notify("touched", { id: "t1" });
    const outcomes = await tasks.batch([{ call: "count" }, { call: "add", payload: { title: "gone" } }]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  }

  test("jayson's serves the client", async () => {
    type Done = (error: object | null, result?: unknown) => void;
    const gone = { code: -32010, message: "Gone", data: { id: "t0" } };
    const service = new jayson.Server({
      count: (_params: object, done: Done) => done(null, 2),
      list: ([id, title]: readonly unknown[], done: Done) => done(null, [{ id, title: String(title) }]),
      add: ({ title }: { readonly title: string }, done: Done) =>
        title === "gone" ? done(gone) : done(null, { id: "t1", title }),
      touched: (_params: object, done: Done) => done(null),
    });
    const { url } = await over(
      (message) =>
        new Promise((resolve) => service.call(message, (error, answer) => resolve(error ?? answer))),
    );
    await tryService(client.createTasksClient({ url }));
  });

  test("json-rpc-2.0's serves the client", async () => {
    const service = new JSONRPCServer({ errorListener() {} });
    service.addMethod("count", () => 2);
    service.addMethod("list", ([id, title]: readonly unknown[]) => [{ id, title: String(title) }]);
    service.addMethod("touched", () => null);
    service.addMethod("add", ({ title }: { readonly title: string }) => {
      if (title === "gone") throw new JSONRPCErrorException("Gone", -32010, { id: "t0" });
      return { id: "t1", title };
    });
    const { url } = await over((message) => service.receiveJSON(message));
    await tryService(client.createTasksClient({ url }));
  });

  /** A service of a library, which takes texts and gives answers or nothing. */
  async function over(answer: (message: string) => PromiseLike<unknown>): Promise<{ readonly url: string }> {
    const server = await serve(async (request, response) => {
      const answered = await answer(await text(request));
      response.end((answered ?? null) === null ? "" : JSON.stringify(answered));
    });
    servers.push(server);
    return { url: `http://127.0.0.1:${server.port}/rpc` };
  }
});
