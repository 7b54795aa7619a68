import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMockAccess, newMockAccess, createMock } from "../../generator/mock/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { siteFiles } from "../../generator/site/index.ts";
import { started, type StartedService } from "../conformance/standard/service.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";

const folder = mkdtempSync(join(tmpdir(), "try-standard-"));
const accessFile = join(folder, "access.json");
let service: StartedService;
let browser: Browser;
let access: { credentials: Readonly<Record<string, Readonly<Record<string, string>>>> };

function deskModel(): ServiceModel {
  const text = readFileSync(join(import.meta.dirname, "desk.yaml"), "utf8");
  const { value, diagnostics } = loadServiceModel("spec", () => [{ path: "desk.yaml", text }]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return value;
}

beforeAll(async () => {
  const model = deskModel();
  access = JSON.parse(JSON.stringify(newMockAccess(model)));
  const own = { headers: { "X-Desk": "clerk-7" } };
  writeFileSync(accessFile, JSON.stringify({ ...access, credentials: { ...access.credentials, own } }));
  const mock = createMock(model, {
    access: readMockAccess(model, accessFile),
    errors: new Map(),
    faults: new Map(),
    latencyMs: { least: 0, most: 0 },
    seed: 1,
    pages: () => siteFiles(model, { withTry: true }),
  });
  [service, browser] = await Promise.all([
    started((request, response) => void mock.emit("request", request, response)),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  service.close();
  await browser.close();
  rmSync(folder, { recursive: true });
});

const urlOf = (name: string): string => `${service.baseUrl}/docs/try/desk/#${encodeURIComponent(name)}`;

async function signedIn(page: Page, name: string): Promise<void> {
  await page.goto(urlOf(name));
  await page.getByLabel("Access file").setInputFiles(accessFile);
  await expect.poll(() => page.getByLabel("User name").inputValue()).toBe("mock");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** A program that the page shows, of the title. */
async function shownText(page: Page, title: string): Promise<string> {
  return (await page.locator("details", { hasText: title }).locator("pre").textContent()) ?? "";
}

/** Runs the shell program that the page shows; gives the answer. */
async function runInShell(page: Page, secrets: Readonly<Record<string, string>>): Promise<unknown> {
  const program = await shownText(page, "curl");
  // The mock answers in this process.
  const env = { ...process.env, ...secrets };
  const { stdout } = await promisify(execFile)("sh", ["-c", program], { cwd: folder, env });
  return JSON.parse(stdout);
}

describe("try it, of a standard interface", () => {
  test.each<[string, (own: Readonly<Record<string, Readonly<Record<string, string>>>>) => object]>([
    ["open", () => ({})],
    ["staff", ({ person }) => ({ PASSWORD: person?.["password"] })],
    ["session", ({ session }) => ({ TOKEN: session?.["token"] })],
    ["keyed", ({ machine }) => ({ API_KEY: machine?.["key"] })],
    ["token es256", ({ es256 }) => ({ pem: es256?.["privateKeyPem"] })],
    ["token hs256", ({ hs256 }) => ({ SIGNING_SECRET: hs256?.["secret"] })],
    ["token rs256", ({ rs256 }) => ({ pem: rs256?.["privateKeyPem"] })],
    ["token eddsa", ({ eddsa }) => ({ pem: eddsa?.["privateKeyPem"] })],
    ["token ps384", ({ ps384 }) => ({ pem: ps384?.["privateKeyPem"] })],
    ["shared", ({ shared }) => ({ SIGNING_SECRET: shared?.["secret"] })],
    ["sealed ed25519", ({ ed25519 }) => ({ pem: ed25519?.["privateKeyPem"] })],
    ["sealed p256", ({ p256 }) => ({ pem: p256?.["privateKeyPem"] })],
    ["sealed p384", ({ p384 }) => ({ pem: p384?.["privateKeyPem"] })],
    ["sealed rsa", ({ rsa }) => ({ pem: rsa?.["privateKeyPem"] })],
    ["sealed hmac", ({ mac }) => ({ SIGNING_SECRET: mac?.["secret"] })],
    ["both", ({ machine, shared }) => ({ API_KEY: machine?.["key"], SIGNING_SECRET: shared?.["secret"] })],
  ])("is called as %s, and so does the shell program that it shows", async (name, secretsOf) => {
    const { page, complaints } = await openPage(browser);
    await signedIn(page, name);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    const { pem, ...env }: { pem?: string } & Record<string, string> = JSON.parse(
      JSON.stringify(secretsOf(access.credentials)),
    );
    for (const file of pem === undefined ? [] : ["issuer.pem", "private-key.pem"])
      writeFileSync(join(folder, file), pem ?? "");
    expect(await runInShell(page, env)).toMatchObject({
      jsonrpc: "2.0",
      result: { done: expect.any(Boolean) },
    });
    const texts = await page.locator("details pre").allTextContents();
    for (const secret of Object.values(env).filter((text) => text !== ""))
      expect(texts.slice(1).join("\n"), "programs hold no secret").not.toContain(secret);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("says where a call was refused that the clock of the computer is wrong", async () => {
    const { page } = await openPage(browser);
    await page.clock.install({ time: new Date(Date.now() + 3_600_000) });
    await signedIn(page, "sealed p256");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The clock of this computer is 60 minutes ahead of the service's.").waitFor();
    await page.close();
  });

  test("says what a browser cannot do with a certificate, and shows the call that can", async () => {
    const { page } = await openPage(browser);
    await page.goto(urlOf("certified"));
    await page.getByText("A page cannot choose a certificate").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It asks for proxied, and there are no credentials for it.").waitFor();
    await page.goto(urlOf("certified"));
    await page.reload();
    await page.getByLabel("My browser presents a certificate").check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Show the request" }).click();
    expect(await shownText(page, "curl")).toContain("--cert client.pem --key client.key");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The caller proves no identity").waitFor();
    await page.close();
  });

  test("sends the headers of a scheme of the project's own", async () => {
    const { page } = await openPage(browser);
    await page.goto(urlOf("owned"));
    await page.getByLabel("Access file").setInputFiles(accessFile);
    await expect.poll(() => page.getByLabel("Headers, a line each").inputValue()).toBe("X-Desk: clerk-7");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "The exact request")).toContain("x-desk: clerk-7");
    await page.close();
  });

  test("writes parameters by position, and null where an optional one is left out", async () => {
    const { page, complaints } = await openPage(browser);
    await signedIn(page, "placed");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("is needed").first().waitFor();
    await page.locator('[name="text"]:focus').fill("Ink");
    await page.locator('[name="tags"]').fill('["a"');
    await page.getByText("is no JSON").waitFor();
    await page.locator('[name="tags"]').fill('{"a": 1}');
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "The exact request")).toContain('"params":["Ink",null,{"a":1}]');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("sends a notification, which is not answered, and a batch, whose answers are each judged", async () => {
    const { page, complaints } = await openPage(browser);
    await signedIn(page, "touched");
    await page.locator('[name="id"]').fill("7");
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It was taken. A notification is not answered.").waitFor();
    await page.goto(urlOf("open"));
    await page.getByRole("heading", { level: 1, name: "open", exact: true }).waitFor();
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("heading", { level: 2, name: "Batch of 3" }).waitFor();
    await page.getByRole("button", { name: "Send the batch" }).click();
    await expect.poll(() => page.getByText("The answer is as the contract says.").count()).toBe(2);
    expect(await shownText(page, "TypeScript")).toContain('{ notify: "touched", payload: {"id":"7"} }');
    await page.getByRole("button", { name: "Remove call 1, touched" }).click();
    await page.getByRole("heading", { level: 2, name: "Batch of 2" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("explains an error by the contract", async () => {
    const { page } = await openPage(browser);
    await page.route("**/rpc", (route) =>
      route.continue({ headers: { ...route.request().headers(), "mock-error": "GONE" } }),
    );
    await signedIn(page, "session");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It has been removed. Read the list again.").waitFor();
    await page.close();
  });

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)("is accessible, as wide as $viewport.width", async (options) => {
    const { page } = await openPage(browser, { ...options, bypassCSP: true });
    await page.goto(urlOf("placed"));
    await page.getByRole("button", { name: "Continue" }).waitFor();
    expect(await violationsOn(page), "sign in").toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await signedIn(page, "placed");
    await page.locator('[name="text"]').fill("Ink");
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("heading", { level: 2, name: "Request" }).waitFor();
    expect(await violationsOn(page), "operation").toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.close();
  });

  test("takes an answer for none that has both a result and an error", async () => {
    const { page, complaints } = await openPage(browser);
    const both = {
      jsonrpc: "2.0",
      id: 1,
      result: { id: "t1", done: true },
      error: { code: -32603, message: "Failed" },
    };
    await page.route("**/rpc", (route) => route.fulfill({ json: both }));
    await signedIn(page, "open");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer has both a result and an error for open, so it is none.").waitFor();
    const heading = page.getByRole("heading", { level: 2, name: /^Answer/ });
    expect(await heading.textContent()).toBe("Answer error");
    expect(await page.getByText("Failed", { exact: true }).count()).toBe(0);
    // Absent and null are one and the same.
    await page.unroute("**/rpc");
    await page.route("**/rpc", (route) => route.fulfill({ json: { ...both, error: null } }));
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("heads an answer that has nothing for a call as an error", async () => {
    const { page } = await openPage(browser);
    await page.route("**/rpc", (route) => route.fulfill({ json: { jsonrpc: "2.0", id: 1 } }));
    await signedIn(page, "open");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer has nothing for open.").waitFor();
    const heading = page.getByRole("heading", { level: 2, name: /^Answer/ });
    expect(await heading.textContent()).toBe("Answer error");
    await page.close();
  });

  test("is reached from the reference", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${service.baseUrl}/docs/operations/open.html`);
    await page.getByRole("link", { name: "Try it" }).click();
    await page.getByRole("heading", { level: 1, name: "Who calls" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
