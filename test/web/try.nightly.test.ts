import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-try-"));
const openrpc: { methods: { name: string; examples: unknown[] }[] } = JSON.parse(
  readFileSync("generated/ledger/openrpc.json", "utf8"),
);
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(dataDir), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
  rmSync(dataDir, { recursive: true });
});

const urlOf = (name: string, { access } = server): string => `${access.baseUrl}/docs/try/ledger/#${name}`;

async function signedIn(page: Page, name: string, folder = dataDir, running = server): Promise<void> {
  await page.goto(urlOf(name, running));
  await page.setInputFiles("input[type=file]", join(folder, "access.json"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

describe("try it", () => {
  test("calls every operation of the contract, and knows each answer", async () => {
    const { page, complaints } = await openPage(browser);
    await signedIn(page, "AccountService.GetAccount");
    expect(openrpc.methods.length).toBeGreaterThan(14);
    for (const { name } of openrpc.methods) {
      await page.goto(urlOf(name));
      await page.getByRole("heading", { level: 1, name }).waitFor();
      // The spec's own example: of accounts that this service does not have, so most are answered with an error.
      await page.getByText("Begin with:").getByRole("button").first().click();
      await page.getByRole("button", { name: "Sign and send" }).click();
      await page.getByRole("heading", { level: 2, name: /^Answer/ }).waitFor();
      const said = await page.locator("[aria-live] .notice").first().innerText();
      expect(said, name).not.toMatch(/does not give|is not as the contract says|is not JSON/);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("sends a form, judges the answer, and shows a program that sends the same", async () => {
    const { page, complaints } = await openPage(browser);
    await signedIn(page, "AccountService.GetAccount");
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText("is needed").first().waitFor();
    // Who works with the keyboard goes on typing.
    await page.locator('[name="ID"]:focus').fill(server.access.samples.accountId);
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    await page.getByText("Fields of the answer").click();
    await page.getByText("Amount on hold.", { exact: true }).waitFor();
    const program = await page
      .locator("details", { hasText: "curl and openssl" })
      .locator("pre")
      .textContent();
    writeFileSync(join(dataDir, "private-key.pem"), server.access.privateKeyPem);
    const env = { ...process.env, API_KEY: server.access.apiKey };
    const printed = execFileSync("sh", ["-c", program ?? ""], { cwd: dataDir, env, encoding: "utf8" });
    expect(JSON.parse(printed).result.account.id).toBe(server.access.samples.accountId);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("signs the message, too, where the service takes no other", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ledger-try-strict-"));
    const strict = await startServer(folder, { LEDGER_REPLAY: "strict" });
    const { page } = await openPage(browser);
    await signedIn(page, "AccountService.GetAccount", folder, strict);
    await page.locator('[name="ID"]').fill(strict.access.samples.accountId);
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    const program = page.locator("details", { hasText: "with the generated client" }).locator("pre");
    expect(await program.textContent()).toContain("\n  messageSignatures,\n});");
    await page.close();
    await strict.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)("is accessible, as wide as $viewport.width", async (options) => {
    const { page } = await openPage(browser, { ...options, bypassCSP: true });
    await page.goto(urlOf("AccountService.GetAccount"));
    await page.getByRole("button", { name: "Make a key pair here" }).click();
    await page.getByText("BEGIN PUBLIC KEY").waitFor();
    expect(await violationsOn(page), "sign in").toEqual([]);
    await signedIn(page, "CreateSubscription");
    await page.getByText("Begin with:").getByRole("button").first().click();
    await page.getByRole("button", { name: "Sign and show" }).click();
    await page.getByRole("heading", { level: 2, name: "Request" }).waitFor();
    expect(await violationsOn(page), "operation").toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.close();
  });

  test("shows the form first on a narrow screen: the operations are folded, and open again on a wide one", async () => {
    const { page } = await openPage(browser, { viewport: { width: 320, height: 720 } });
    await signedIn(page, "AccountService.UpdateAccountStatus");
    const operations = page.getByRole("navigation", { name: "Operations" });
    const other = operations.getByRole("link", { name: "GetAccount" });
    expect(await other.isVisible()).toBe(false);
    const field = await page.getByLabel("accountNumber").boundingBox();
    expect(field?.y).toBeLessThan(720);
    await operations.getByText("Operations").press("Enter");
    await other.click();
    await page.getByRole("heading", { level: 1, name: "AccountService.GetAccount" }).waitFor();
    expect(await other.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await other.waitFor();
    await page.close();
  });

  test("is reached from the reference that the service serves, and leads back", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${server.access.baseUrl}/docs/operations/get-account.html`);
    await page.getByText("Try it", { exact: true }).click();
    await page.getByRole("link", { name: "Try it on a page of its own" }).click();
    await page.getByRole("heading", { level: 1, name: "Who calls" }).waitFor();
    await page.getByRole("link", { name: "Reference" }).click();
    await page.waitForURL("**/docs/index.html");
    expect(complaints).toEqual([]);
    await page.close();
  });
});
