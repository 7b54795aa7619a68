import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../web/browser.ts";
import { act, show, signInTo } from "../web/console-page.ts";
import { installIn, packTarballs, runIn, startIn, succeedIn, type Tarballs } from "./installed-project.ts";

const root = mkdtempSync(join(tmpdir(), "ledger-init-"));
let tarballs: Tarballs;
beforeAll(() => (tarballs = packTarballs()));
afterAll(() => {
  tarballs.remove();
  rmSync(root, { recursive: true });
});

const npx = ["npx", "--yes", "--prefer-offline", "--package"];

/** A new project of a template, installed from the tarballs. */
async function initProject(name: string, ...args: readonly string[]) {
  const from = ["--from", join("..", basename(tarballs.folder))];
  const made = await succeedIn(root, [
    ...npx,
    tarballs.generator,
    "ledger-rpc",
    "init",
    name,
    ...args,
    ...from,
  ]);
  const project = join(root, name);
  await installIn(project);
  return { made, project };
}

test("a project that init writes is installed from tarballs, tests, starts and answers", async () => {
  const { made, project } = await initProject("tasks");
  expect(made).toContain("Next:\n  cd tasks\n  npm install\n  npm test\n  npm start &");
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

test("the console of a team's service comes with the package, and takes the sandbox's operator", async () => {
  const { project } = await initProject("payments", "--template", "service");
  const service = await startIn(project, { ADMIN_INTERFACE: "on", ADMIN_PORT: "0" });
  const browser = await launchBrowser();
  try {
    const started = service.lines.find((line) => line.includes('"msg":"started"')) ?? "{}";
    const { adminUrl }: { adminUrl: string } = JSON.parse(started);
    const { page, complaints } = await openPage(browser);
    await signInTo(page, adminUrl, join(project, ".data/access.json"));
    await show(page, "users");
    expect(await act(page, "Issue a credential", { userName: "ann" })).toMatch(/is shown once/);
    await page.getByRole("link", { name: "payments.ann" }).waitFor();
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    await service.stop();
  }
});
