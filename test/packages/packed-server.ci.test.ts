import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import rootManifest from "../../package.json" with { type: "json" };
import { installPacked, type PackedCommand } from "./packed-command.ts";

describe("the packed server", () => {
  let server: PackedCommand;
  beforeAll(async () => (server = await installPacked("server", "--scope", "my-bank")));
  afterAll(() => server.remove());

  test("depends on what the server of this repository depends on, under its publisher's name", () => {
    // The pages are built when the package is made.
    const pages = ["@dagrejs/dagre", "handlebars", "highlight.js", "marked", "minisearch", "refa"];
    const needed = Object.entries(rootManifest.dependencies).filter(([name]) => !pages.includes(name));
    expect(server.manifest.dependencies).toEqual(Object.fromEntries(needed));
    expect(server.manifest.optionalDependencies).toEqual(rootManifest.optionalDependencies);
    expect(server.manifest).toMatchObject({ name: "@my-bank/ledger-server", version: rootManifest.version });
  });

  test("holds the runtime and the interfaces that it serves, compiled", () => {
    expect(server.files).toContain("ledger/cli/main.d.ts");
    const others = server.files.filter(
      (path) =>
        !/^(?:ledger|runtime|generated|web)\/.*(?:\.js|\.d\.ts)$|^bundle\/[\w-]+\.js$|^bin\/.*\.mjs$|^(?:web|.*\/reference)\/.*\.(?:html|css|svg|webp|json|tar)$|\/(?:json-schema|openrpc)\.json$/.test(
          path,
        ),
    );
    expect(server.files).toContain("generated/ledger/reference/index.html");
    const documents = ["LICENSE", "README.md", "package.json"];
    expect(others.toSorted()).toEqual(documents.toSorted());
    expect(server.files.filter((path) => /\/conformance\/|\/schemas\.js/.test(path))).toEqual([]);
  });

  test("starts from a bundle of its own modules, the entries of its threads among them", () => {
    const folder = join(server.root, "node_modules/@my-bank/ledger-server");
    const named = server.files
      .filter((path) => path.startsWith("bundle/"))
      .flatMap((path) => [
        ...readFileSync(join(folder, path), "utf8").matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g),
      ])
      .map(([, path = ""]) => join("bundle", path));
    expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    const threads = named.filter((path) => /^bundle\/.*\.js$/.test(path));
    expect(threads.length).toBeGreaterThanOrEqual(6);
    expect(readFileSync(join(folder, "ledger/cli/main.js"), "utf8")).toBe('import "../../bundle/main.js";\n');
  });

  test("starts by its command, is ready, and stops", async () => {
    const env = { ...process.env, PORT: "0", OPERATOR_PORT: "0" };
    const command = join(server.root, "node_modules/.bin/ledger-server");
    const child = spawn(command, ["start"], { cwd: server.root, env, stdio: ["ignore", "pipe", "pipe"] });
    const exited = once(child, "exit");
    const errors = text(child.stderr);
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        if (!line.includes('"msg":"started"')) continue;
        const { ledgerUrl, operatorUrl } = JSON.parse(line);
        child.kill("SIGUSR1");
        expect((await fetch(`${ledgerUrl}/readyz`)).status).toBe(200);
        const script = await fetch(`${operatorUrl}/console/web/operator/operator.ts`);
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
    expect(await errors).not.toMatch(/^Debugger/m);
    expect(await server.npx("ledger-server", "verify")).toContain("Sound: ");
    expect(await server.npx("ledger-server", "customers", "add", "--help")).toContain(
      "--business-name-legal",
    );
  });
});
