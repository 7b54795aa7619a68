import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import jayson from "jayson";
import { JSONRPCErrorException, JSONRPCServer } from "json-rpc-2.0";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Project } from "../../unit/emit-project.ts";
import { serve, tasksProject, type Listening, type TasksPackage } from "./project.ts";

/** Services that other libraries make of the same methods. */
let project: Project;
let generated: TasksPackage;
let listening: Listening | undefined;
/** Notifications that the service took. */
const notified: unknown[] = [];

beforeAll(async () => {
  project = await tasksProject();
  generated = await import(`${project.root}/generated/tasks/client/index.ts`);
});
afterEach(async () => {
  notified.splice(0);
  await listening?.stop();
});
afterAll(async () => await project.remove());

const gone = { code: -32010, message: "Gone", data: { id: "t0" } };

/** The answers of each method; an error is thrown. */
const bodies: Readonly<Record<string, (params: unknown) => unknown>> = {
  list: (params) => [{ id: JSON.stringify(params), title: "Read" }],
  add: (params) => {
    if (Reflect.get(Object(params), "title") === "gone") throw gone;
    return { id: "t1", title: "Read" };
  },
  count: () => 2,
  clear: () => null,
  touched: (params) => {
    notified.push(params);
    return null;
  },
};

function jaysonService(): RequestListener {
  const methods = Object.entries(bodies).map(([name, body]) => [
    name,
    (params: unknown, callback: (error: unknown, result?: unknown) => void): void => {
      try {
        callback(null, body(params));
      } catch (error) {
        callback(error);
      }
    },
  ]);
  const server = new jayson.Server(Object.fromEntries(methods));
  return (request, response) => {
    server.http().emit("request", request, response);
  };
}

function secondService(): RequestListener {
  const server = new JSONRPCServer({ errorListener: () => undefined });
  for (const [name, body] of Object.entries(bodies))
    server.addMethod(name, (params: unknown) => {
      try {
        return body(params);
      } catch {
        throw new JSONRPCErrorException(gone.message, gone.code, gone.data);
      }
    });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const result = await server.receiveJSON(await text(request));
    response.writeHead(result === null ? 204 : 200, { "content-type": "application/json" });
    response.end(result === null ? "" : JSON.stringify(result));
  };
  return (request, response) => void answer(request, response);
}

describe.each([
  ["jayson", jaysonService],
  ["json-rpc-2.0", secondService],
] as const)("the generated client calls a service of %s", (_library, service) => {
  async function connected() {
    listening = await serve(service());
    return generated.createTasksClient({ url: `http://127.0.0.1:${listening.port}/rpc` });
  }

  test("by name and by position, with results of every kind", async () => {
    const client = await connected();
    expect(await client.add({ title: "Read" })).toEqual({ id: "t1", title: "Read" });
    expect(await client.list({ state: null, limit: 2 })).toEqual([{ id: "[null,2]", title: "Read" }]);
    expect(await client.count()).toBe(2);
    expect(await client.clear()).toBeNull();
  });

  test("and gets its errors as classes", async () => {
    const client = await connected();
    await expect(client.add({ title: "gone" })).rejects.toBeInstanceOf(generated.GoneError);
    await expect(client.add({ title: "gone" })).rejects.toMatchObject({ code: -32010, data: { id: "t0" } });
    await expect(client.ping()).rejects.toBeInstanceOf(generated.MethodNotFoundError);
  });

  test("by notifications and batches", async () => {
    const client = await connected();
    await client.notify("touched", { id: "t1" });
    const outcomes = await client.batch([
      { call: "count" },
      { notify: "touched", payload: { id: "t2" } },
      { call: "add", payload: { title: "gone" } },
      { call: "clear" },
    ]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: 2 },
      { status: "fulfilled" },
      { status: "rejected", reason: { code: -32010 } },
      { status: "fulfilled", value: null },
    ]);
    expect(notified).toEqual([{ id: "t1" }, { id: "t2" }]);
  });
});
