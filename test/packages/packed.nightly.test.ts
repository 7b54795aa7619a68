import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileErrors } from "../e2e-generator/compile.ts";
import { installPacked, repository, type PackedCommand } from "./packed-command.ts";

describe("the packed runtime", () => {
  let runtime: PackedCommand;
  beforeAll(async () => (runtime = await installPacked("runtime")));
  afterAll(() => runtime.remove());

  test("offers its parts, and leaves to the application which libraries it installs", async () => {
    const folder = join(runtime.root, "node_modules/ledger-rpc-runtime");
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(Object.keys(manifest.exports)).toEqual([
      ".",
      "./administration",
      "./commands",
      "./contract",
      "./express",
      "./server",
      "./sqlite",
      "./stdio",
      "./store",
      "./testing",
      "./websocket",
      ...["api-key", "basic", "bearer", "client-cert", "hmac", "jwt", "message-signature"].map(
        (scheme) => `./auth/${scheme}`,
      ),
      "./package.json",
    ]);
    expect(manifest.peerDependenciesMeta).toMatchObject({ jose: { optional: true }, ws: { optional: true } });
    expect(Object.keys(manifest.dependencies)).toEqual(
      Object.keys(manifest.dependencies).filter((name) => !["jose", "ws"].includes(name)),
    );
    expect(runtime.files.filter((path) => !/^(?:generated|runtime)\/.*(?:\.js|\.d\.ts)$/.test(path))).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json"]),
    );
  });

  test("is a package as publishers' tools want it", async () => {
    const run = promisify(execFile);
    const folder = join(runtime.root, "node_modules/ledger-rpc-runtime");
    const tools = join(repository, "node_modules/.bin");
    const { stdout } = await run(join(tools, "publint"), [folder, "--strict"]);
    expect(stdout).toContain("All good!");
    const { stdout: packed } = await run("npm", ["pack", "--silent"], { cwd: folder });
    const types = await run(join(tools, "attw"), [join(folder, packed.trim()), "--profile", "esm-only"]);
    // Every entry is found by modules and by bundlers; what `require` makes of it is not counted.
    const counted = types.stdout.split("\n").filter((line) => /^(?:node16 \(from ESM\)|bundler):/.test(line));
    expect(counted.length).toBeGreaterThan(20);
    expect(counted.filter((line) => !line.includes("🟢"))).toEqual([]);
  });
});

describe("the packed generator", () => {
  let generator: PackedCommand;
  beforeAll(async () => (generator = await installPacked("generator")));
  afterAll(() => generator.remove());

  test("holds compiled code, and TypeScript only where it is copied into projects", () => {
    const own = generator.files.filter((path) =>
      /^(?:generator|tools|conformance)\/.*(?<!\.d)\.ts$/.test(path),
    );
    expect(own).toEqual([]);
    // Its own modules are in a bundle, all but the one that begins it and the scripts of pages.
    const modules = generator.files.filter(
      (path) => /\.m?js$/.test(path) && !/^(?:bin|bundle|templates)\//.test(path),
    );
    expect(modules.filter((path) => !path.includes("/page/"))).toEqual(["generator/cli/main.js"]);
    expect(generator.files).toContain("contract/index.ts");
    expect(generator.files.filter((path) => /^(?:test|generated)\//.test(path))).toEqual([]);
    expect(generator.manifest).toMatchObject({ name: "ledger-rpc", private: true });
  });

  test("loads no parser, emitter, formatter or compiler of templates to begin with", () => {
    const folder = join(generator.root, "node_modules/ledger-rpc/bundle");
    const reached = new Set([
      "main.js",
      ...generator.files.flatMap((path) => /program-.*\.js$/.exec(path) ?? []),
    ]);
    for (const file of reached) {
      const text = readFileSync(join(folder, file), "utf8");
      for (const [, name = ""] of text.matchAll(/^(?:import|export) .*?"\.\/([^"]+)";$/gm)) reached.add(name);
    }
    const imported = [...reached].flatMap((file) => [
      ...readFileSync(join(folder, file), "utf8").matchAll(/^import .*?"([^.n][^"]*)";$/gm),
    ]);
    const names = new Set(imported.map(([, name = ""]) => name));
    expect([...names].toSorted()).toEqual(["commander", "picocolors"]);
  });

  test("generates a project from its tarball alone, which compiles", async () => {
    const { root } = generator;
    cpSync(join(repository, "test/cases/generate/base/spec"), join(root, "spec"), { recursive: true });
    cpSync(join(root, "node_modules/ledger-rpc/contract"), join(root, "contract"), { recursive: true });
    const config = "specs:\n  - { spec: spec/notes, out: generated/notes, handlers: handlers/notes }\n";
    writeFileSync(join(root, "ledger-rpc.yaml"), `${config}contract: contract/index.ts\n`);
    writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
    expect(await generator.npx("ledger-rpc", "generate")).toContain("0 deleted");
    expect(await generator.npx("ledger-rpc", "check")).toContain("up to date");
    expect(existsSync(join(root, "generated/notes/client/client.ts"))).toBe(true);
    for (const name of ["zod", "@types"])
      symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
    expect(await compileErrors(root, ["generated", "handlers", "contract"])).toBe("");
    const tarball = await generator.npx(
      "ledger-rpc",
      "pack",
      "--scope",
      "ours",
      "--package-version",
      "7.0.1",
    );
    expect(tarball.trim()).toBe(join("dist", "ours-notes-client-7.0.1.tgz"));
    const client = join(root, "dist/notes-client");
    const { NotesClient }: Record<string, unknown> = createRequire(import.meta.url)(client);
    const { NotesClient: imported }: Record<string, unknown> = await import(join(client, "index.js"));
    expect([typeof NotesClient, typeof imported]).toEqual(["function", "function"]);
  });

  test("checks patterns by its own copy of recheck, whose other files are 52 MB", async () => {
    expect(Object.keys(generator.manifest.dependencies)).not.toContain("recheck");
    expect(generator.files.filter((path) => path.startsWith("copied/"))).toEqual([
      "copied/recheck/LICENSE",
      "copied/recheck/browser.cjs",
    ]);
    const file = join(generator.root, "spec/notes/notes.yaml");
    const withPattern = (pattern: string): void => {
      const spec = readFileSync(
        join(repository, "test/cases/generate/base", "spec/notes/notes.yaml"),
        "utf8",
      );
      writeFileSync(file, spec.replace("maxLength: 200,", `maxLength: 200, pattern: "${pattern}",`));
    };
    withPattern("^(a+)+$");
    await expect(generator.npx("ledger-rpc", "generate")).rejects.toMatchObject({
      stderr: expect.stringContaining("grow exponentially with its length"),
    });
    withPattern("^a+$");
    expect(await generator.npx("ledger-rpc", "generate")).toContain("0 deleted");
  });

  test("tests running services and serves mocks, too", async () => {
    expect(await generator.npx("ledger-rpc", "conform", "--help")).toContain("--base-url");
    expect(await generator.npx("ledger-rpc", "mock", "--help")).toContain("--latency");
  });
});
