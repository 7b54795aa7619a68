import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser } from "./browser.ts";
import { expectApproved, looks } from "./screenshots.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-screenshots-"));
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer(dataDir, { LEDGER_PARTNER_INTERFACE: "on" }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
  rmSync(dataDir, { recursive: true });
});

/** Signs in where the page asks for it, and waits until it shows what it read. */
async function show(page: Page, url: string, text: string): Promise<void> {
  await page.goto(url);
  const signIn = page.getByRole("button", { name: "Sign in" });
  const shown = page.getByRole("main").getByText(text).first();
  await signIn.or(shown).first().waitFor();
  if (await signIn.isVisible()) {
    await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
    await signIn.click();
    await shown.waitFor();
  }
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}

/** Each page, and a text that it shows when it is whole. */
function pagesOf({ access }: RunningServer): Readonly<Record<string, readonly [url: string, text: string]>> {
  const { baseUrl, operatorUrl, samples } = access;
  const [docs, console_, partner] = [`${baseUrl}/docs`, `${operatorUrl}/console/#`, `${baseUrl}/partner/#`];
  return {
    reference: [`${docs}/index.html`, "What it is about"],
    operation: [`${docs}/operations/get-account.html`, "AccountService.GetAccount"],
    states: [`${docs}/states.html`, "States"],
    try: [`${docs}/try/ledger/#AccountService.GetAccount`, "Send"],
    "console-accounts": [`${console_}/accounts`, "Northwind operating account"],
    "console-account": [`${console_}/accounts/${samples.accountNumber}`, "Northwind operating account"],
    "console-deliveries": [`${console_}/deliveries`, "Deliveries"],
    partner: [`${partner}/subscriptions`, "Northwind desk"],
    "partner-keys": [`${partner}/keys`, "ACTIVE"],
  };
}

describe.each(Object.entries(looks))("%s", (look, options) => {
  test("each page looks as it was approved", async () => {
    const context = await browser.newContext({
      ...options,
      deviceScaleFactor: 0.5,
      bypassCSP: true,
      locale: "en-US",
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    for (const [name, [url, text]] of Object.entries(pagesOf(server))) {
      await show(page, url, text);
      await expectApproved(page, `${name}-${look}`);
    }
    await context.close();
  });
});
