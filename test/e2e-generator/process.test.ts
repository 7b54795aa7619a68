import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { createProject, repository } from "./project.ts";

/** The other tests run commands in their own process: these hold what the process adds to them. */
test("a command takes its folder and its variables from the process, and ends with its exit code", async () => {
  const project = createProject();
  project.write("tasks/ledger-rpc.yaml", "specs: [{ spec: spec }]\n");
  project.write(
    "tasks/spec/tasks.yaml",
    "interface: { name: tasks, wire: { protocol: json-rpc-2.0 } }\nmethods:\n  get: { effect: read, result: json }\n",
  );
  // The mistake is seen when the spec has been found, in a folder above.
  const environment = { LEDGER_RPC_BASIC: "ann" };
  expect(await project.runProcess(["call", "get"], environment, "tasks/spec")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "error: LEDGER_RPC_BASIC has no colon: it is user:password\n",
  });
  project.dispose();
});

test("a reader that closes the pipe, as `head` does, ends no command", async () => {
  const child = spawn(process.execPath, ["generator/cli/main.ts", "explain", "--json"], { cwd: repository });
  // Closed before the command prints: each write fails with EPIPE.
  child.stdout.destroy();
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = await once(child, "close");
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
});
