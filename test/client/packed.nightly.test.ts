import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser } from "../web/browser.ts";
import { apiReport } from "./api-report.ts";
import { pageFiles } from "./browser-page.ts";
import { mailedOtp } from "./mailed-otp.ts";
import { createPackedProject, packClient, type PackedClient, type PackedProject } from "./packed-project.ts";
import { enginePath } from "./engines.ts";
import { servePage } from "./page-server.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-packed-"));
let server: RunningServer;
let packed: PackedClient;
let project: PackedProject;
let commonjs: PackedProject;

beforeAll(async () => {
  packed = packClient();
  project = createPackedProject(packed.tarball, "module");
  commonjs = createPackedProject(packed.tarball, "commonjs");
  server = await startServer(dataDir);
});
afterAll(async () => {
  await server.stop();
  project.remove();
  commonjs.remove();
  rmSync(dataDir, { recursive: true });
});

/** The options of a client of the running service, as an expression. */
function optionsText(): string {
  const { baseUrl, userName, apiKey, keyId, privateKeyPem: privateKey } = server.access;
  return JSON.stringify({ baseUrl, credential: { userName, apiKey }, signer: { keyId, privateKey } });
}

/** A program that makes a signed call, sees an error by its class, and prints what came. */
function program(load: string): string {
  const { accountId } = server.access.samples;
  return `${load}
    const client = new LedgerClient(${optionsText()});
    const main = async () => {
      const { account } = await client.account.get({ ID: ${JSON.stringify(accountId)} });
      const absent = await client.account.get({ ID: "nope" }).catch((error) => error);
      console.log(account.id, absent instanceof NotFoundAccountError, typeof webhooks, typeof FakeLedger);
    };
    main();
  `;
}

const named = (path: string, names: string) => `import { ${names} } from "ledger-client${path}";`;
const imports = [
  named("", "LedgerClient, NotFoundAccountError"),
  named("/webhooks", "webhooks"),
  named("/testing", "FakeLedger"),
].join("\n");
const requires = imports.replaceAll(/import (.*) from (.*);/g, "const $1 = require($2);");
const printed = () => `${server.access.samples.accountId} true function function\n`;

describe("the packed client", () => {
  test("is a package as publishers' tools want it", async () => {
    // A mere suggestion: what a bundle for browsers leaves out could be said otherwise.
    expect(await project.run("publint", packed.tarball, "--level", "warning")).toContain("All good!");
    expect(await project.run("attw", packed.tarball, "--format", "table-flipped")).toContain(
      "No problems found",
    );
  });

  test("offers what its report says it offers, no less and no more", async () => {
    const report = await apiReport(packed.folder, ["index", "webhooks", "testing", "schemas"]);
    const file = join(import.meta.dirname, "api-report.md");
    if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(file, report);
    expect(report).toBe(readFileSync(file, "utf8"));
  });

  test("runs in Node, imported and required", async () => {
    project.write({ "main.js": program(imports) });
    commonjs.write({ "main.js": program(requires) });
    expect(await project.run("node", "main.js")).toBe(printed());
    expect(await commonjs.run("node", "main.js")).toBe(printed());
  });

  test("runs in a worker thread, by a key that is handed over and cannot be exported", async () => {
    const { privateKeyPem, samples } = server.access;
    project.write({
      "worker.js": `
        import { createPrivateKey } from "node:crypto";
        import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
        import { connect, getAccount } from "ledger-client";
        if (isMainThread) {
          const der = createPrivateKey(${JSON.stringify(privateKeyPem)}).export({ type: "pkcs8", format: "der" });
          const algorithm = { name: "ECDSA", namedCurve: "P-256" };
          const key = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
          const worker = new Worker(new URL(import.meta.url), { workerData: key });
          worker.on("message", (message) => console.log(message));
        } else {
          const options = ${optionsText()};
          options.signer.privateKey = workerData;
          const { account } = await getAccount(connect(options), { ID: ${JSON.stringify(samples.accountId)} });
          parentPort.postMessage(account.id + " " + workerData.extractable);
        }`,
    });
    expect(await project.run("node", "worker.js")).toBe(`${samples.accountId} false\n`);
  });

  test("runs in Deno and in Bun", async () => {
    project.write({ "main.ts": program(imports) });
    expect(await project.run(enginePath("bun"), "run", "main.ts")).toBe(printed());
    const permissions = ["--node-modules-dir=manual", "--allow-net", "--no-lock"];
    expect(await project.run(enginePath("deno"), "run", ...permissions, "main.ts")).toBe(printed());
  });

  test.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("is typed for module %s, resolved by %s", async (module, moduleResolution) => {
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      target: "es2022",
      lib: ["es2023", "dom"],
      types: [],
      skipLibCheck: false,
    };
    const types = readFileSync(join(import.meta.dirname, "types.ts"), "utf8");
    const text = types.replaceAll(/"\.\.\/\.\.\/generated\/ledger\/client\/(\w+)\.ts"/g, (_, entry) =>
      JSON.stringify(entry === "index" ? "ledger-client" : `ledger-client/${entry}`),
    );
    project.write({
      "types.ts": text,
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["types.ts"] }),
    });
    expect(await project.run("tsc", "-p", ".")).toBe("");
    commonjs.write({
      "types.ts": text,
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["types.ts"] }),
    });
    expect(await commonjs.run("tsc", "-p", ".")).toBe("");
  });

  test("runs in a browser and its workers, built by Vite, with a key that never leaves WebCrypto", async () => {
    project.write(pageFiles);
    await project.run("vite", "build", "page", "--logLevel", "error");
    const page = await servePage(join(project.root, "page/dist"), server.access.baseUrl);
    const browser = await launchBrowser();
    try {
      const { userName, apiKey, operator, operatorUrl, samples } = server.access;
      const { OtpToken } = await new OperatorClient({
        baseUrl: operatorUrl,
        credential: operator,
        signer: { keyId: operator.keyId, privateKey: operator.privateKeyPem },
      }).startDeviceRegistration({ userName });
      const registration = { UserName: userName, OtpToken, Otp: await mailedOtp(dataDir) };
      const tab = await browser.newPage();
      await tab.goto(page.url);
      const given = { credential: { userName, apiKey }, registration, accountId: samples.accountId };
      expect(await tab.evaluate(`window.run(${JSON.stringify(given)})`)).toEqual({
        id: samples.accountId,
        extractable: false,
        exported: "InvalidAccessError",
        inWorker: samples.accountId,
      });
    } finally {
      await browser.close();
      page.stop();
    }
  });
});
