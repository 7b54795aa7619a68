import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileErrors } from "./compile.ts";
import { unlikePrettier } from "./prettier-style.ts";
import { createProject, linkRepository, repository, type Project } from "./project.ts";

const folder = join(repository, "test/cases/weather");
let project: Project;

beforeAll(async () => {
  project = createProject(folder);
  linkRepository(project);
  const { exitCode, stderr } = await project.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
afterAll(() => project.dispose());

describe("an interface of another domain", () => {
  test("goes through every emitter and keeps its bodies", () => {
    const bodies = [...project.state().keys()].filter((path) => path.startsWith("handlers/weather/"));
    for (const path of bodies.filter((path) => !path.endsWith("/index.ts")))
      expect(project.read(path)).toBe(readFileSync(join(folder, path), "utf8"));
    expect(bodies).toContain("handlers/weather/index.ts");
  });

  test("compiles under NodeNext without an error, bodies and client included", async () => {
    expect(await compileErrors(project.root, ["generated", "handlers", "play.ts", "runtime/contract"])).toBe(
      "",
    );
  });

  test("runs: every method by signed requests through the real pipeline", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["play.ts"], { cwd: project.root });
    const played: unknown = JSON.parse(stdout.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/g, "<now>"));
    await expect(`${JSON.stringify(played, undefined, 2)}\n`).toMatchFileSnapshot(
      join(folder, "expected.json"),
    );
  });

  test("reads as Prettier prints it", async () => {
    expect(await unlikePrettier(project.root, ["generated", "handlers"])).toEqual([]);
  });
});
