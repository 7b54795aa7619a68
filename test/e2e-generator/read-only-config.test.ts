import { afterAll, beforeAll, expect, test } from "vitest";
import { createProject, type Project } from "./project.ts";

let project: Project;
beforeAll(() => {
  project = createProject();
  project.write("ledger-rpc.yaml", "specs: [{ spec: spec }]\n");
  project.write(
    "spec/tasks.yaml",
    "interface: { name: tasks, wire: { protocol: json-rpc-2.0 } }\nmethods: { count: { payload: { fields: [] } } }\n",
  );
});
afterAll(() => project.dispose());

test.for([
  [["docs"], "tasks: "],
  [["collection", "bruno"], "tasks: "],
] as const)("%j needs no folders of the config: it only reads the spec", async ([args, said]) => {
  const run = await project.run([...args]);
  expect(run.stderr).toBe("");
  expect([run.exitCode, run.stdout]).toEqual([0, expect.stringContaining(said)]);
});

test("generate asks for the folders that it writes into", async () => {
  const run = await project.run(["generate"]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain("`out` is missing");
  expect(run.stderr).toContain("`handlers` is missing");
});
