import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject, linkRepository, repository, type Project } from "./project.ts";

const spec = `interface:
  name: tasks
  wire: { protocol: json-rpc-2.0, params: either, transports: [http, websocket, stdio] }
methods:
  list: { effect: read, payload: { fields: [{ name: owner, type: string|null, optional: true }] }, result: array of Task }
  add: { effect: create, payload: { fields: [{ name: text, type: string, maxLength: 20 }] }, result: Task, errors: { GONE: {} } }
  touched: { notify: only, payload: { fields: [{ name: id, type: string }] } }
errors:
  GONE: { code: -32010, message: Gone }
types:
  Task: { fields: [{ name: id, type: string }, { name: text, type: string }] }
`;
// The mock notes each call on its standard error, which is that of the test run.
const command = (): string =>
  `"${process.execPath}" "${join(repository, "generator/cli/main.ts")}" mock --stdio -c "${join(project.root, "ledger-rpc.yaml")}" 2>${devNull}`;

/** An interface without handlers, over WebSocket and over standard input and output, by the commands alone. */
let project: Project;
let mock: ChildProcess | undefined;
let url = "";

beforeAll(async () => {
  project = createProject(join(repository, "test/cases/next-document"));
  linkRepository(project);
  project.write("spec/tolls.yaml", spec);
  const { exitCode, stderr } = await project.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const args = [join(repository, "generator/cli/main.ts"), "mock", "--port", "0", "--open"];
  mock = spawn(process.execPath, args, { cwd: project.root });
  mock.stderr?.resume();
  if (mock.stdout === null) throw new Error("the mock has no output");
  const [line] = await once(createInterface({ input: mock.stdout }), "line");
  [url = ""] = /ws:[^ ]*/.exec(String(line)) ?? [];
});
afterAll(() => {
  mock?.kill();
  project.dispose();
});

test.each([
  ["a WebSocket", () => ["--base-url", url.replace(/\/rpc$/, "")]],
  ["a command", () => ["--command", command()]],
])("a mock conforms over %s", async (_name, where) => {
  const args = ["conform", ...where(), "--level", "strict", "--explore", "0", "--json"];
  const { stdout, stderr, exitCode } = await project.run(args);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const report: { readonly counts: { readonly passed: number } } = JSON.parse(stdout);
  expect(report.counts).toMatchObject({ failed: 0, broken: 0 });
  expect(report.counts.passed).toBeGreaterThan(60);
});

test("a mock of a WebSocket ends when it is stopped, whoever is connected", async () => {
  const socket = new WebSocket(url);
  await once(socket, "open");
  if (mock === undefined) throw new Error("there is no mock");
  mock.kill("SIGTERM");
  const [code] = await once(mock, "exit");
  expect(code).toBe(0);
});
