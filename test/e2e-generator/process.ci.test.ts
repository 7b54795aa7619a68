import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createProject, linkRuntime, repository } from "./project.ts";

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

test("`docs --watch` builds again when a spec is saved, and keeps the pages while one is wrong", async () => {
  const project = createProject(join(repository, "test/cases/generate/base"));
  const program = join(repository, "generator/cli/main.ts");
  const child = spawn(process.execPath, [program, "docs", "--watch"], { cwd: project.root });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  expect(await next()).toContain("Open site/notes/index.html");

  const [file = ""] = [...project.state().keys()].filter((path) => path.startsWith("spec/notes/"));
  const spec = project.read(file);
  // What is no change of a spec builds nothing.
  project.write(`${file}.swp`, "an editor's own");
  project.replace(file, spec);
  project.replace(file, `${spec}\nnonsense: [`);
  expect(await next()).toContain("the pages of notes stay as they are");
  project.replace(file, spec.replace(/title: .*/, "title: Notes anew"));
  expect(await next()).toContain("Open site/notes/index.html");
  expect(project.read("site/notes/index.html")).toContain("Notes anew");
  child.stderr.resume();
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
  project.dispose();
});

test("`init` makes projects whose tests are green", async () => {
  const folder = createProject();
  const templates = ["minimal", "bearer", "service"];
  for (const template of templates) await folder.run(["init", template, "--template", template]);
  linkRuntime(folder, templates);
  // In one process, which is started faster than one a project, or one a file.
  const files = templates.map((template) => `${template}/test/tasks.test.ts`);
  const args = ["--test", "--test-isolation=none", ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.root });
  expect(stdout).toMatch(/^. pass 8$/m);
  folder.dispose();
});

test("a project of `init` says which Node runs it, to an older one", async () => {
  const folder = createProject();
  await folder.run(["init", "tasks"]);
  const check = folder.read("tasks/check-node.mjs");
  const older = check.replace("process.versions.node.split", '"20.20.2".split');
  folder.write("older.mjs", older);
  const run = (file: string) =>
    promisify(execFile)(process.execPath, [join(folder.root, file)]).then(
      () => "",
      (error: unknown) => String(Object(error).stderr),
    );
  expect(await run("tasks/check-node.mjs")).toBe("");
  expect(await run("older.mjs")).toContain("needs 22.18 or later");
  expect(JSON.parse(folder.read("tasks/package.json")).scripts).toMatchObject({
    prestart: "node check-node.mjs",
    pretest: "node check-node.mjs",
  });
  folder.dispose();
});
