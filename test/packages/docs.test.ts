import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { packedPages } from "../../bin/pack/generator.ts";
import manifest from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

test("the docs in the package are all pages, and link to nothing that the package lacks", () => {
  const pages = packedPages();
  expect([...pages.keys()].toSorted()).toEqual(
    globSync("docs/**/*.md", { cwd: root })
      .map((file) => file.replaceAll("\\", "/"))
      .toSorted(),
  );
  let links = 0;
  for (const [page, text] of pages) {
    const prose = text.replaceAll(/^ *```.*?^ *```/gms, "").replaceAll(/`[^`\n]*`/g, "");
    for (const [, target = ""] of prose.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links += 1;
      const path = posix.join(posix.dirname(page), target);
      expect(
        path.startsWith("docs/") || path === "SECURITY.md" || path === "README.md",
        `${page}: ${path}`,
      ).toBe(true);
      expect(existsSync(join(root, path)), `${page}: ${path}`).toBe(true);
    }
  }
  expect(links).toBeGreaterThan(100);
});

test("each package states one least version of Node: in its manifest, in what it prints and in the docs", () => {
  const serverNode = manifest.engines.node.replace(">=", "");
  const engineIn = (file: string): string =>
    /engines: \{ node: ">=([\d.]+)" \}/.exec(textOf(file))?.[1] ?? "";
  const generatorNode = engineIn("bin/pack/generator.ts");
  const [, projectNode = ""] = /nodeMin = "([\d.]+)"/.exec(textOf("generator/cli/init/template.ts")) ?? [];
  const clientNode = engineIn("generator/targets/client/package-files.ts");
  const stated: readonly (readonly [string, string, RegExp])[] = [
    [serverNode, "bin/pack/server.ts", /engines: \{ node: ">=([\d.]+)" \}/g],
    [serverNode, "bin/pack/server.ts", /It needs Node ([\d.]+) or later/g],
    [serverNode, "bin/launch.mjs", /serviceNodeMin = "([\d.]+)"/g],
    [serverNode, "docs/operations.md", /Node ([\d.]+) or later/g],
    [serverNode, "bin/bootstrap.mjs", /service needs ([\d.]+\d)/g],
    [generatorNode, "bin/ledger-rpc.mjs", /nodeMin: "([\d.]+)"/g],
    [generatorNode, "bin/pack/generator.ts", /Node ([\d.]+) or later/g],
    [engineIn("bin/pack/runtime.ts"), "bin/pack/runtime.ts", /Node ([\d.]+) or later/g],
    [
      engineIn("generator/targets/conformance/package-files.ts"),
      "docs/conformance.md",
      /Node ([\d.]+) or later/g,
    ],
    [clientNode, "templates/client/json-rpc/README.md.hbs", /Node ([\d.]+)\s+and\s+newer/g],
    [clientNode, "templates/client/signed-envelope/README.md.hbs", /Node ([\d.]+)\s+and\s+newer/g],
    [clientNode, "docs/getting-started.md", /Node ([\d.]+) and newer/g],
    [projectNode, "docs/getting-started.md", /Node ([\d.]+) or later/g],
    [projectNode, "templates/project/base/README.md", /Node ([\d.]+) or later/g],
    [projectNode, "templates/project/empty/README.md", /Node ([\d.]+) or later/g],
    [serverNode, "bin/pack/runtime.ts", /Node ([\d.]+) and later/g],
    [serverNode, "templates/project/service/template.json", /"node": "([\d.]+)"/g],
    [serverNode, "templates/project/service/README.md", /Node ([\d.]+) or later/g],
    ...globSync("examples/*/package.json", { cwd: root }).map(
      (file) => [projectNode, file, /"node": ">=([\d.]+)"/g] as const,
    ),
  ];
  for (const [least, file, pattern] of stated) {
    expect(least).toMatch(/^\d+\.\d+$/);
    const found = [...textOf(file).matchAll(pattern)].map(([, version]) => version);
    expect(found.length, file).toBeGreaterThan(0);
    expect(new Set(found), file).toEqual(new Set([least]));
  }
});
