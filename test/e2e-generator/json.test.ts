import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createProject, repository, type Project } from "./project.ts";

const Place = z.strictObject({ line: z.int().min(1), column: z.int().min(1) });
const diagnostics = z.array(
  z.strictObject({
    code: z.string(),
    severity: z.enum(["error", "warning", "info"]),
    message: z.string(),
    path: z.string().optional(),
    start: Place.optional(),
    end: Place.optional(),
    hint: z.string().optional(),
    related: z.unknown().optional(),
  }),
);
const Generated = z.strictObject({
  ok: z.boolean(),
  interfaces: z.array(
    z.strictObject({
      name: z.string(),
      written: z.array(z.string()),
      moved: z.array(z.strictObject({ from: z.string(), to: z.string() })),
      deleted: z.array(z.string()),
      unchanged: z.int(),
      elapsedMs: z.int(),
    }),
  ),
  diagnostics,
});
const Checked = z.strictObject({
  ok: z.boolean(),
  interfaces: z.array(
    z.strictObject({
      name: z.string(),
      files: z.array(
        z.strictObject({
          path: z.string(),
          change: z.enum(["changed", "missing", "stale", "moved"]),
          added: z.int(),
          removed: z.int(),
        }),
      ),
      unchanged: z.int(),
    }),
  ),
  diagnostics,
});

let project: Project;
beforeAll(() => {
  project = createProject(join(repository, "test/cases/generate/base"));
});
afterAll(() => project.dispose());

async function json<T>(schema: z.ZodType<T>, ...args: readonly string[]): Promise<T> {
  const { stdout, stderr } = await project.run([...args, "--json"]);
  expect(stderr).toBe("");
  return schema.parse(JSON.parse(stdout));
}

test("--json prints one document: what was written, what differs, what is wrong", async () => {
  const missing = await json(Checked, "check");
  expect(missing.ok).toBe(false);
  expect(missing.interfaces[0]?.files.every(({ change }) => change === "missing")).toBe(true);

  const first = await json(Generated, "generate");
  expect(first.ok).toBe(true);
  expect(first.interfaces[0]?.written).toEqual(missing.interfaces[0]?.files.map(({ path }) => path));

  const second = await json(Generated, "generate");
  expect(second.interfaces[0]).toMatchObject({
    written: [],
    deleted: [],
    unchanged: first.interfaces[0]?.written.length,
  });
  expect(await json(Checked, "check")).toMatchObject({ ok: true, diagnostics: [] });

  project.write("generated/notes/types.ts", "edited\n");
  const edited = await json(Checked, "check");
  expect(edited).toMatchObject({
    ok: false,
    diagnostics: [{ code: "edited-file", path: "generated/notes/types.ts" }],
  });
  expect(edited.interfaces[0]?.files).toMatchObject([
    { path: "generated/notes/types.ts", change: "changed", removed: 1 },
  ]);

  project.write("spec/notes/more.yaml", "types: [\n");
  const broken = await json(Generated, "generate");
  expect(broken).toMatchObject({
    ok: false,
    interfaces: [],
    diagnostics: [{ code: "yaml-syntax", path: "spec/notes/more.yaml" }],
  });
  expect(project.read("generated/notes/types.ts")).toBe("edited\n");
});
