import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, test } from "vitest";
import { emitter } from "../../generator/targets/client/index.ts";
import { libraryLayout, libraryModel } from "../unit/emit-library-model.ts";
import { tasksClient } from "./standard/tasks.ts";

/** Clients of interfaces that no revision changes: one that signs, and one of standard JSON-RPC 2.0. */
const folder = mkdtempSync(join(tmpdir(), "client-size-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const { path, text } of [...emitter.emit(libraryModel(), libraryLayout), ...tasksClient()]) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A browser's bundle of these exports of a client, minified. */
async function bundled(client: "library" | "tasks", ...names: readonly string[]): Promise<string> {
  const input = join(folder, "entry.ts");
  writeFileSync(input, `export { ${names.join(", ")} } from "./generated/${client}/client/index.ts";`);
  const bundle = await rolldown({ input, platform: "browser" });
  // What a browser gets has no annotations for bundlers: Vite's production build leaves them out, too.
  const { output } = await bundle.generate({ format: "es", minify: true, comments: { annotation: false } });
  return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}

const gzipped = (code: string): number => gzipSync(code, { level: 9 }).length;

describe("a bundle", () => {
  test.each([
    ["library", 4000, ["CityLibraryClient"]],
    ["library", 2450, ["connect", "findBook"]],
    ["tasks", 7250, ["createTasksClient"]],
    ["tasks", 5750, ["connect", "schemes", "list"]],
  ] as const)("of %s is under %i bytes with %o", async (client, most, names) => {
    expect(gzipped(await bundled(client, ...names))).toBeLessThan(most);
  });

  test("with one operation holds nothing of the others", async () => {
    const code = await bundled("library", "connect", "findBook");
    expect(code).toContain("ShelfService.FindBook");
    expect(code).not.toMatch(/AddBook|Authorization|NO_SUCH_BOOK|getBuiltinModule/);
  });

  test("with one class of errors holds no other", async () => {
    const code = await bundled("tasks", "GoneError");
    expect(code).toContain("ServiceError");
    expect(code).not.toMatch(/-32601|"list"/);
  });
});
