import { spawnSync } from "node:child_process";
import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkedInterface, type CheckedInterface } from "../vectors/checked-interface.ts";
import { modelOf } from "../vectors/models.ts";
import { vectorsOf } from "../vectors/vectors-of.ts";
import { compile } from "./emit-project.ts";

const spec = "test/vectors/specs/every-rule";

describe("generated validators", () => {
  let checked: CheckedInterface;
  let folder: string;

  beforeAll(async () => {
    checked = await checkedInterface(modelOf(spec));
    folder = join(checked.root, checked.out, "validators");
  });
  afterAll(() => checked.remove());

  test("work where nothing can be compiled at run time, as under a strict content security policy", () => {
    const script = join(import.meta.dirname, "../vectors/run-vectors.mjs");
    const options = ["--disallow-code-generation-from-strings", script, folder];
    const input = JSON.stringify(vectorsOf(modelOf(spec)));
    const { stdout, stderr, status } = spawnSync(process.execPath, options, { input, encoding: "utf8" });
    expect({ stdout, stderr, status }).toEqual({ stdout: "", stderr: "", status: 0 });
  });

  test("import nothing but each other and their own support module", () => {
    for (const path of globSync("**/*.js", { cwd: folder })) {
      const imports = readFileSync(join(folder, path), "utf8").match(
        /\bfrom "[^"]*"|\brequire\(|\bimport\(/g,
      );
      const known = { "support.js": [], "payloads.js": ["support"] }[path] ?? [
        "payloads",
        "support",
        "types",
      ];
      const others = imports?.filter((each) => !known.some((name) => each === `from "./${name}.js"`)) ?? [];
      expect([path, others]).toEqual([path, []]);
    }
  });

  test("and zod schemas compile strictly, circles of types included", async () => {
    expect(await compile(checked.root, [checked.out, "runtime/contract/raw-json.d.ts"])).toBe("");
  });
});
