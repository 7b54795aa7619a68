import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

describe("ARCHITECTURE.md", () => {
  test("draws every top folder of the repository, and no folder that is not there", () => {
    const drawn = drawnFolders();
    expect(drawn.filter((path) => !path.includes("/")).toSorted()).toEqual(topFolders());
    expect(drawn.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("names only files and folders that exist", () => {
    const named = [...text.matchAll(/`([\w-]+\/[\w./-]+)(?::\w+)?`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** The folders of the first block of code: a name that ends with a slash, below another where it is indented. */
function drawnFolders(): readonly string[] {
  const [, block = ""] = /```\n(.*?)```/s.exec(text) ?? [];
  let above: readonly string[] = [];
  return block.split("\n").flatMap((line) => {
    const [, indent = "", name] = /^( *)([\w-]+)\/ /.exec(line) ?? [];
    if (name === undefined) return [];
    above = [...above.slice(0, indent.length / 2), name];
    return [above.join("/")];
  });
}

/** Top folders of the repository, without those that commands make. */
function topFolders(): readonly string[] {
  const made = new Set(["node_modules", "dist", "coverage"]);
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !made.has(entry.name) && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .toSorted();
}
