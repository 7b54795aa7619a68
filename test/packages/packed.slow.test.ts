import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import rootManifest from "../../package.json" with { type: "json" };
import { compileErrors } from "../e2e-generator/compile.ts";
import { installPacked, repository, type PackedCommand } from "./packed-command.ts";

describe("the packed server", () => {
  let server: PackedCommand;
  beforeAll(async () => (server = await installPacked("server", "--scope", "my-bank")));
  afterAll(() => server.remove());

  test("depends on what the server of this repository depends on, under its publisher's name", () => {
    expect(server.manifest.dependencies).toEqual(rootManifest.dependencies);
    expect(server.manifest.optionalDependencies).toEqual(rootManifest.optionalDependencies);
    expect(server.manifest).toMatchObject({ name: "@my-bank/ledger-server", version: rootManifest.version });
  });

  test("holds the runtime and the interfaces that it serves, compiled", () => {
    expect(server.files).toContain("runtime/cli/main.d.ts");
    const others = server.files.filter(
      (path) =>
        !/^(?:runtime|generated|web)\/.*(?:\.js|\.d\.ts)$|^bin\/.*\.mjs$|^(?:web|.*\/reference)\/.*\.(?:html|css)$|\/(?:json-schema|openrpc)\.json$/.test(
          path,
        ),
    );
    expect(server.files).toContain("generated/ledger/reference/index.html");
    const documents = ["LICENSE", "README.md", "package.json"];
    expect(others.toSorted()).toEqual(documents.toSorted());
    expect(server.files.filter((path) => /\/conformance\/|\/schemas\.js/.test(path))).toEqual([]);
  });

  test("starts by its command, is ready, and stops", async () => {
    const env = { ...process.env, PORT: "0", OPERATOR_PORT: "0" };
    const command = join(server.root, "node_modules/.bin/ledger-server");
    const child = spawn(command, ["start"], { cwd: server.root, env, stdio: ["ignore", "pipe", "ignore"] });
    const exited = once(child, "exit");
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.includes('"msg":"started"')) continue;
        const { ledgerUrl, operatorUrl } = JSON.parse(line);
        expect((await fetch(`${ledgerUrl}/readyz`)).status).toBe(200);
        const script = await fetch(`${operatorUrl}/console/web/console/console.ts`);
        expect([script.status, script.headers.get("content-type")]).toEqual([
          200,
          "text/javascript; charset=utf-8",
        ]);
        break;
      }
    } finally {
      child.kill();
    }
    expect(await exited).toEqual([0, null]);
    expect(await server.npx("ledger-server", "verify")).toContain("Sound: ");
    expect(await server.npx("ledger-server", "customers", "add", "--help")).toContain(
      "--business-name-legal",
    );
  });
});

describe("the packed generator", () => {
  let generator: PackedCommand;
  beforeAll(async () => (generator = await installPacked("generator")));
  afterAll(() => generator.remove());

  test("holds compiled code, and TypeScript only where it is copied into projects", () => {
    const own = generator.files.filter((path) => /^(?:generator|conformance)\/.*(?<!\.d)\.ts$/.test(path));
    expect(own).toEqual([]);
    expect(generator.files).toContain("contract/index.ts");
    expect(generator.files.filter((path) => /^(?:runtime|test|generated)\//.test(path))).toEqual([]);
    expect(generator.manifest).toMatchObject({ name: "ledger-rpc", private: true });
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
  });

  test("tests running services, too", async () => {
    expect(await generator.npx("ledger-rpc", "conform", "--help")).toContain("--base-url");
  });
});
