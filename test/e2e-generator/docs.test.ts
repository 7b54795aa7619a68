import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProject, repository, type Project } from "./project.ts";

let project: Project;
beforeEach(() => (project = createProject(join(repository, "test/cases/generate/base"))));
afterEach(() => project.dispose());

const operations = "site/notes/operations";

describe("ledger-rpc docs", () => {
  test("builds the pages alone, writes what differs, and removes the page of an operation that is gone", async () => {
    const first = await project.run(["docs"]);
    expect(first.stdout).toMatch(/^notes: \d+ files\. Open site\/notes\/index\.html\n$/);
    expect(existsSync(join(project.root, "generated"))).toBe(false);
    const before = project.state();
    project.write("site/notes/my-own.html", "mine");
    const [page = ""] = [...before.keys()].filter((path) => path.startsWith(operations));
    await project.run(["docs"]);
    expect(project.state().get(page)).toBe(before.get(page));

    const list = "site/notes/.ledger-rpc-files.json";
    const gone = `${operations}/long-gone.html`;
    project.write(gone, "an operation that the spec had");
    project.write(
      list,
      JSON.stringify([
        ...JSON.parse(project.read(list)),
        "operations/long-gone.html",
        "../../ledger-rpc.yaml",
      ]),
    );
    expect((await project.run(["docs"])).exitCode).toBe(0);
    expect(existsSync(join(project.root, gone))).toBe(false);
    expect(project.read("site/notes/my-own.html")).toBe("mine");
    expect(existsSync(join(project.root, "ledger-rpc.yaml"))).toBe(true);
  });

  test("writes to a folder that is named from the root of the file system", async () => {
    expect((await project.run(["docs", "--out", join(project.root, "public")])).exitCode).toBe(0);
    expect(existsSync(join(project.root, "public/notes/index.html"))).toBe(true);
  });

  test("replaces no file that it did not write", async () => {
    project.write("public/notes/index.html", "somebody's page");
    const run = await project.run(["docs", "--out", "public"]);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain("public/notes/index.html was not written by `ledger-rpc docs`");
    expect(project.read("public/notes/index.html")).toBe("somebody's page");
  });

  test("keeps the pages of several revisions beside each other, and opens the newest", async () => {
    const spec = "spec/notes/interface.yaml";
    const of = (revision: string) => project.read(spec).replace(/revision: .*/, `revision: ${revision}`);
    for (const revision of ["1.0.9", "1.0.10", "1.0.2"]) {
      project.write(spec, of(revision));
      expect((await project.run(["docs", "--versions"])).exitCode).toBe(0);
    }
    expect(project.read("site/notes/index.html")).toContain('url=1.0.10/index.html"');
    expect(project.read("site/notes/1.0.9/index.html")).toContain('src="../versions.js"');
    expect(project.read("site/notes/1.0.9/types.html")).toContain("1.0.9");
    const [, shown = ""] = /^window\.revisions = (.*);$/m.exec(project.read("site/notes/versions.js")) ?? [];
    const revisions: readonly (readonly [string, readonly string[]])[] = JSON.parse(shown);
    expect(revisions.map(([revision]) => revision)).toEqual(["1.0.10", "1.0.9", "1.0.2"]);
    expect(revisions[0]?.[1]).toContain("types.html");
    // Without versions the pages have no such link, and take the folder over.
    expect((await project.run(["docs"])).exitCode).toBe(0);
    expect(project.read("site/notes/index.html")).not.toContain("versions.js");
    expect(existsSync(join(project.root, "site/notes/versions.js"))).toBe(false);
  });
});
