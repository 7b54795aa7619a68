import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compileErrors } from "./compile.ts";
import { createProject, repository, type Project } from "./project.ts";

let project: Project;
beforeEach(() => (project = createProject()));
afterEach(() => project.dispose());

/** The type of a zod schema is what zod infers: writing it down would say everything a second time. */
test("all generated modules but those of zod compile with isolatedDeclarations, and so do our templates", async () => {
  project.write("package.json", '{ "type": "module" }\n');
  for (const name of ["node_modules", "runtime"])
    symlinkSync(join(repository, name), join(project.root, name));
  cpSync(join(repository, "templates/client"), join(project.root, "templates"), { recursive: true });
  cpSync(join(repository, "generated/ledger"), join(project.root, "generated/ledger"), { recursive: true });
  project.write("hotel/package.json", '{ "type": "module" }\n');
  cpSync(join(repository, "test/cases/every-construct"), join(project.root, "hotel"), { recursive: true });
  symlinkSync(join(repository, "runtime"), join(project.root, "hotel/runtime"));
  symlinkSync(join(repository, "ledger"), join(project.root, "hotel/ledger"));
  expect(await project.run(["generate"], {}, "hotel")).toMatchObject({ exitCode: 0, stderr: "" });

  const options = { isolatedDeclarations: true, declaration: true, lib: ["es2024", "esnext"] };
  const printed = await compileErrors(project.root, ["templates", "generated", "hotel/generated"], options);
  const errors = printed.split("\n").filter((line) => /^\S+\.ts\(/.test(line));
  // Those of zod are reported, so the option is on.
  expect(errors.length).toBeGreaterThan(100);
  expect(errors.filter((line) => !/\bschemas\.ts\(|\bruntime\//.test(line))).toEqual([]);
});
