import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installIn, packTarballs, runIn, startIn, succeedIn, type Tarballs } from "./installed-project.ts";

const root = mkdtempSync(join(tmpdir(), "ledger-init-"));
let tarballs: Tarballs;
beforeAll(() => (tarballs = packTarballs()));
afterAll(() => {
  tarballs.remove();
  rmSync(root, { recursive: true });
});

test("a project that init writes is installed from tarballs, tests, starts and answers", async () => {
  const npx = ["npx", "--yes", "--prefer-offline", "--package", tarballs.generator, "ledger-rpc"];
  const made = await succeedIn(root, [
    ...npx,
    "init",
    "tasks",
    "--from",
    join("..", basename(tarballs.folder)),
  ]);
  expect(made).toContain("Next:\n  cd tasks\n  npm install\n  npm test\n  npm start &");
  const project = join(root, "tasks");
  await installIn(project);
  // The parts of a server with a database are optional: this project has none of their packages.
  const installed = readdirSync(join(project, "node_modules"));
  expect(installed.filter((name) => /^(?:nodemailer|pg|pino|prom-client|undici)$/.test(name))).toEqual([]);
  expect(await succeedIn(project, ["npm", "test"])).toMatch(/pass 3$/m);
  await succeedIn(project, ["npm", "run", "check"]);
  // Compiled to JavaScript it starts, too, and finds its validators.
  await succeedIn(project, ["npx", "tsc", "--noEmit", "false", "--outDir", "dist"]);
  const compiled = await startIn(project, {}, "dist/src/server.js");
  try {
    const calls = { method: "POST", headers: { "Content-Type": "application/json" } };
    const body = '{"jsonrpc":"2.0","id":1,"method":"add","params":{"title":1}}';
    const answer = await fetch(`http://127.0.0.1:${compiled.port}/rpc`, { ...calls, body });
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  } finally {
    await compiled.stop();
  }
  const service = await startIn(project);
  try {
    const call = (...args: readonly string[]) =>
      runIn(project, ["npx", "ledger-rpc", "call", ...args], { PORT: service.port });
    const milk = { id: 1, title: "Buy milk", state: "open" };
    expect(JSON.parse((await call("add", '["Buy milk"]')).stdout)).toEqual(milk);
    expect(JSON.parse((await call("list", "[null]")).stdout)).toEqual([milk]);
    const front = await fetch(`http://127.0.0.1:${service.port}/`);
    expect([front.status, new URL(front.url).pathname]).toEqual([200, "/docs/"]);
    expect(await front.text()).toContain("<title>Overview");
  } finally {
    await service.stop();
  }
});
