import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { JSONRPCClient, type JSONRPCResponse } from "json-rpc-2.0";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createProject, repository, type Project } from "./project.ts";

let project: Project;
let mock: ChildProcess | undefined;

beforeAll(() => {
  project = createProject();
  project.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
  project.write(
    "spec/tasks.yaml",
    `
interface:
  name: tasks
  title: Tasks
  revision: 1.0.0
  doc: Keeps tasks.
  wire: { protocol: json-rpc-2.0, params: either }
types:
  Task:
    doc: Something to do.
    fields:
      - { name: id, type: uuid, doc: Its number. }
      - { name: title, type: string, maxLength: 9, doc: What to do. }
      - { name: due, type: date-time|null, doc: Until when. }
      - { name: tags, type: array of string, minItems: 2, doc: Words. }
methods:
  get:
    doc: Gives a task.
    effect: read
    payload: { fields: [{ name: id, type: uuid, doc: Its number. }] }
    result: Task
    errors: { NO_TASK: {} }
  count: { doc: Counts the tasks., effect: read, result: integer, examples: [{ name: Some, payload: {}, result: 3 }] }
errors:
  NO_TASK: { doc: There is none., code: -32010, message: No such task, data: Task }
`,
  );
});
afterEach(() => {
  mock?.kill();
  mock = undefined;
});
afterAll(() => project.dispose());

/** Starts a mock on a free port; gives a client of another library. */
async function started(...options: string[]): Promise<{ client: JSONRPCClient; url: string }> {
  const main = join(repository, "generator/cli/main.ts");
  const child = spawn(process.execPath, [main, "mock", "--port", "0", ...options], { cwd: project.root });
  mock = child;
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const [url = ""] = /http:\S+/.exec(String(line)) ?? [];
  const client: JSONRPCClient = new JSONRPCClient(async (request) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request) });
    const answer: JSONRPCResponse = JSON.parse(await response.text());
    client.receive(answer);
  });
  return { client, url };
}

const id = "5f0c2a8e-6a57-4ae1-9f1b-3a0a7a2f7b11";

describe("ledger-rpc mock", () => {
  test("answers from the examples, and with values that fit where there are none", async () => {
    const { client } = await started();
    expect(await client.request("count", {})).toBe(3);
    const task: unknown = await client.request("get", [id]);
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-/),
      title: expect.stringMatching(/^.{0,9}$/),
      due: expect.stringMatching(/^[0-9]{4}-.*T/),
      tags: [expect.any(String), expect.any(String)],
    });
  });

  test("refuses what does not fit, as the service would", async () => {
    const { client } = await started();
    await expect(client.request("get", { id: 1 })).rejects.toMatchObject({ code: -32602 });
    await expect(client.request("nothing", {})).rejects.toMatchObject({ code: -32601 });
  });

  test("answers with an error that is asked for, and drops connections", async () => {
    const { client } = await started("--error", "get=NO_TASK");
    const refused = { code: -32010, message: "No such task", data: { title: expect.any(String) } };
    await expect(client.request("get", { id })).rejects.toMatchObject(refused);
    mock?.kill();
    const { url } = await started("--fault", "drop=1");
    await expect(fetch(url, { method: "POST" })).rejects.toThrow();
  });

  test("says what is wrong with its options", async () => {
    const misspelt = await project.run(["mock", "--error", "gett=NO_TASK"]);
    expect([misspelt.exitCode, misspelt.stderr]).toEqual([
      2,
      expect.stringContaining("there is no method gett: did you mean get?"),
    ]);
    expect((await project.run(["mock", "--error", "get=GONE"])).stderr).toContain(
      "there is no error of get GONE",
    );
    expect((await project.run(["mock", "--fault", "drop=2"])).stderr).toContain("write drop=<share>");
    expect((await project.run(["mock", "--fault", "flood=1"])).stderr).toContain("there is no kind flood");
    expect((await project.run(["mock", "--fault", "drop=.7", "cut=.7"])).stderr).toContain(
      "can be 1 at most",
    );
    expect((await project.run(["mock", "--latency", "9-3"])).stderr).toContain("such as 200, or 50-400");
  });
});
