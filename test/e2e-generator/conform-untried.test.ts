import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProject, repository } from "./project.ts";

const project = createProject(join(repository, "test/cases/generate/base"));
afterAll(() => project.dispose());

test("a spec with errors says nothing of the service: the exit code is 2, as where nothing was tried", async () => {
  project.write("spec/notes/broken.yaml", "types:\n  Broken: { doc: None., type: Nothing }\n");
  const { exitCode, stderr } = await project.run(["conform", "--base-url", "http://127.0.0.1:9"]);
  expect(stderr).toContain("unknown-type");
  expect(exitCode).toBe(2);
});
