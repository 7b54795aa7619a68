import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileErrors } from "./compile.ts";
import { unlikePrettier } from "./prettier-style.ts";
import { createProject, linkRepository, repository, type Project } from "./project.ts";

let project: Project;

beforeAll(async () => {
  project = createProject(join(repository, "test/cases/hostile"));
  linkRepository(project);
  const { exitCode, stderr } = await project.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
afterAll(() => project.dispose());

describe("names and texts that break generators", () => {
  test("compile under NodeNext without an error", async () => {
    expect(await compileErrors(project.root, ["generated", "handlers", "runtime/contract"])).toBe("");
  });

  test("load: every module that is generated", async () => {
    // The scripts of the reference pages are no modules, and want a browser.
    const modules = [...project.state().keys()].filter(
      (path) => /(?<!\.d)\.(?:ts|js)$/.test(path) && !path.includes("/reference/"),
    );
    const imports = modules.map((path) => `await import(${JSON.stringify(`./${path}`)});`);
    project.write("load.mjs", [...imports, `console.log(${modules.length});`].join("\n"));
    const { stdout } = await promisify(execFile)(process.execPath, ["load.mjs"], { cwd: project.root });
    expect(Number(stdout)).toBeGreaterThan(50);
  });

  test("give paths that every file system can hold, and that differ in more than case", () => {
    const paths = [...project.state().keys()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    const generated = paths.filter((path) => path.startsWith("generated/") || path.startsWith("handlers/"));
    for (const path of generated)
      expect(path).toMatch(
        /^(?:[a-z0-9][a-z0-9.-]{0,99}\/)+(?:README\.md|CHANGELOG\.md|[a-z0-9][a-z0-9.-]{0,99})$/,
      );
  });

  test("are printed as Prettier prints them", async () => {
    expect(await unlikePrettier(project.root, ["generated", "handlers"])).toEqual([]);
  });

  test("are settled: a second run writes nothing", async () => {
    const before = project.state();
    project.remove(".cache");
    expect(await project.run(["generate"])).toMatchObject({ exitCode: 0, stderr: "" });
    expect(project.state()).toEqual(before);
  });
});
