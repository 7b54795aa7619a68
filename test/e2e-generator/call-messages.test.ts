import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createService, type AnyHandler } from "../../runtime/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import { trialHandlers } from "../rpc/handlers.ts";
import { interfaceWith } from "../rpc/interface.ts";
import { listen } from "../rpc/listen.ts";
import { createProject, repository, type Project, type Run } from "./project.ts";

let project: Project;
beforeAll(() => {
  project = createProject();
});
afterAll(() => project.dispose());

describe("ledger-rpc call over WebSocket", () => {
  const trial = trialHandlers();
  const handshakes: unknown[] = [];
  /** It says something by itself before it answers. */
  const talkative: AnyHandler = async (payload, context) => {
    const notify: unknown = Reflect.get(context, "notify");
    if (typeof notify === "function") notify("told", { id: 1 });
    return payload;
  };
  const told = { name: "told", validate: Object.assign(() => true, { errors: null }) };
  const service = createService(
    interfaceWith({ notifications: { told } }),
    { ...trial.handlers, echo: talkative },
    { onFailure() {} },
  );
  const server = createServer((_request, response) => response.writeHead(404).end());
  let url = "";
  beforeAll(async () => {
    server.on("upgrade", ({ headers }) => handshakes.push(headers.authorization));
    rpcWebSocket(service).attach(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `ws://127.0.0.1:${typeof address === "object" ? address?.port : ""}/rpc`;
  });
  beforeEach(() => handshakes.splice(0));
  afterAll(() => server.close());

  const call = async (...args: readonly string[]): Promise<Run> =>
    await project.run(["call", ...args, "--url", url]);

  test("prints what is answered, and nothing of what the service says by itself", async () => {
    expect(await call("subtract", "[42, 23]")).toEqual({ exitCode: 0, stdout: "19\n", stderr: "" });
    expect(await call("echo", '{"n": 1.5}')).toEqual({
      exitCode: 0,
      stdout: '{\n  "n": 1.5\n}\n',
      stderr: "",
    });
    const { exitCode, stderr } = await call("subtract", "[42]");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'error -32602: Invalid params\n{\n  "field": "/subtrahend",\n  "reason": "required"\n}\n',
    });
  });

  test("sends a notification, which nothing answers", async () => {
    expect(await call("notify_hello", "[7]", "--notify")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(trial.recorded.at(-1)).toEqual({ method: "notify_hello", payload: { number: 7 } });
  });

  test("says who calls at the handshake", async () => {
    const environment = { LEDGER_RPC_TOKEN: "t0ken" };
    const { stdout } = await project.run(["call", "subtract", "[42, 23]", "--url", url], environment);
    expect(stdout).toBe("19\n");
    expect(handshakes).toEqual(["Bearer t0ken"]);
  });

  test("says that there is no connection", async () => {
    const plain = await listen((_request, response) => response.writeHead(404).end());
    const there = `ws://127.0.0.1:${plain.port}/rpc`;
    expect(await project.run(["call", "subtract", "--url", there])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `error: ${there} cannot be called: no connection, or it was refused\n`,
    });
  });
});

describe("ledger-rpc call to the standard input of a command", () => {
  beforeAll(() => {
    const at = (path: string): string => JSON.stringify(pathToFileURL(join(repository, path)).href);
    project.write(
      "service.ts",
      `import { writeFileSync } from "node:fs";
import { createService } from ${at("runtime/index.ts")};
import { rpcStdio } from ${at("runtime/transport/stdio/index.ts")};
import { trialHandlers } from ${at("test/rpc/handlers.ts")};
import { interfaceWith } from ${at("test/rpc/interface.ts")};
const { handlers, recorded } = trialHandlers();
await rpcStdio(createService(interfaceWith(), handlers)).done;
writeFileSync("recorded.json", JSON.stringify(recorded));
`,
    );
  });
  const command = `"${process.execPath}" service.ts`;
  const call = async (...args: readonly string[]): Promise<Run> =>
    await project.run(["call", ...args, "--command", command]);

  test("prints what is answered", async () => {
    expect(await call("subtract", '{"minuend": 42,\n "subtrahend": 23}')).toEqual({
      exitCode: 0,
      stdout: "19\n",
      stderr: "",
    });
    const { exitCode, stderr } = await call("foobaz");
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "error -32601: Method not found\n" });
  });

  test("waits until a notification is carried out", async () => {
    expect(await call("notify_hello", "[7]", "--notify")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(JSON.parse(project.read("recorded.json"))).toEqual([
      { method: "notify_hello", payload: { number: 7 } },
    ]);
  });

  test.for([
    [["--command", "exit 3"], 1, "exit 3 ended with 3, without an answer"],
    [["--command", "echo hello"], 1, "echo hello gave no response of JSON-RPC, but a message: hello"],
    [
      ["--command", "cat", "--url", "http://127.0.0.1:1/"],
      2,
      "--url and --command are both given: a service is reached by one of them",
    ],
    [
      ["--command", "cat", "--access", "access.json"],
      2,
      "--access is for addresses: pipes carry no credentials",
    ],
  ] as const)("says what is wrong: %s", async ([args, expected, message]) => {
    const { exitCode, stderr } = await project.run(["call", "subtract", ...args]);
    expect({ exitCode, stderr }).toEqual({ exitCode: expected, stderr: `error: ${message}\n` });
  });
});
