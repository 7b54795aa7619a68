import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage } from "./browser.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-keyboard-"));
let server: RunningServer;
let browser: Browser;
let receiver: Receiver;

beforeAll(async () => {
  [server, browser, receiver] = await Promise.all([
    startServer(dataDir, { LEDGER_PARTNER_INTERFACE: "on" }),
    launchBrowser(),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([server.stop(), browser.close(), receiver.close()]);
  rmSync(dataDir, { recursive: true });
});

/** What has the focus: its label or text. Fails where the reader does not see that it has. */
const focused = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent ?? element.getAttribute("aria-label") ?? element.textContent;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const isSeen = element === document.body || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
  return (isSeen ? "" : "not seen: ") + label.trim();
})()`;

/** Presses a key until what has this label has the focus. */
async function reach(page: Page, label: string, key = "Tab"): Promise<void> {
  const passed: unknown[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    const now = await page.evaluate(focused);
    expect(now).not.toMatch(/^not seen/);
    if (now === label) return;
    passed.push(now);
  }
  throw new Error(`${label} is not reached by ${key}, but: ${passed.join(" | ")}`);
}

async function press(page: Page, label: string): Promise<void> {
  await reach(page, label);
  await page.keyboard.press("Enter");
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await reach(page, label);
  await page.keyboard.insertText(text);
}

/** Signs in by keys alone; then the content has the focus. */
async function signIn(page: Page, site: string, member: "operator" | "user" = "user"): Promise<void> {
  const { access } = server;
  const { userName, apiKey, keyId, privateKeyPem } = member === "operator" ? access.operator : access;
  await page.goto(site);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await type(page, "User name", userName);
  await type(page, "API key", apiKey);
  await type(page, "Key identifier", keyId);
  await type(page, "Private key (PEM)", privateKeyPem);
  await press(page, "Sign in");
  await page.getByRole("button", { name: "Sign in" }).waitFor({ state: "detached" });
  await expectFocusOnContent(page);
}

async function expectFocusOnContent(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
}

/** The first stop of a page leads to its content and leaves its address alone. */
async function skip(page: Page): Promise<void> {
  const address = page.url();
  await reach(page, "Skip to the content");
  await page.keyboard.press("Enter");
  await expectFocusOnContent(page);
  expect(page.url()).toBe(address);
}

describe("with the keyboard alone", () => {
  test("a partner subscribes, sends a test event and sees its delivery", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page, `${server.access.baseUrl}/partner/#/subscriptions`);
    await skip(page);
    await press(page, "Subscribe an address …");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate(focused)).toBe("Subscribe an address …");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await type(page, "Name", "Treasury");
    await page.keyboard.press("Enter");
    // What is wrong first has the focus.
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("callbackUrl");
    await page.keyboard.insertText(receiver.url);
    await reach(page, "Account.UPDATE");
    await page.keyboard.press("Space");
    await reach(page, `Northwind operating account · ${server.access.samples.accountNumber}`);
    await page.keyboard.press("Space");
    await press(page, "Subscribe an address");
    await page.getByText("It is made: ").waitFor();
    expect(await page.evaluate(focused)).toBe("Close");
    await page.keyboard.press("Enter");
    await expectFocusOnContent(page);
    await page.getByRole("link", { name: "Treasury" }).waitFor();
    await press(page, "Treasury");
    await page.getByRole("button", { name: "Send a test event" }).waitFor();
    await expectFocusOnContent(page);
    await press(page, "Send a test event");
    await receiver.until(1);
    await page.getByText("On its way: ").waitFor();
    expect(await page.evaluate(focused)).toBe("Send a test event");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Attempts" }).waitFor();
    await expectFocusOnContent(page);
    await press(page, "Back to the subscription");
    await page.getByRole("button", { name: "Delete …" }).waitFor();
    const dialog = page.getByRole("dialog");
    /** Opens a dialog, does what it is for, and closes it. */
    const change = async (label: string, fill?: readonly [field: string, text: string]): Promise<void> => {
      await press(page, `${label} …`);
      await dialog.waitFor();
      if (fill !== undefined) await type(page, ...fill);
      await press(page, label);
      await expect.poll(() => page.evaluate(focused)).toBe("Close");
      await page.keyboard.press("Enter");
      await expectFocusOnContent(page);
    };
    await change("Show the secret");
    await change("Rotate the secret");
    await change("Disable");
    await change("Enable");
    await change("Change", ["Remarks optional", "By the keyboard"]);
    await change("Delete", ["Type Treasury to confirm", "Treasury"]);
    await page.getByRole("heading", { level: 1, name: "Subscriptions" }).waitFor();
    await press(page, "Keys");
    await press(page, "Make a key here");
    await page.getByRole("link", { name: "Save the private key" }).waitFor();
    expect(await page.evaluate(focused)).toBe("Make a key here");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("an operator looks at accounts and changes the status of one", async () => {
    const { page, complaints } = await openPage(browser);
    const { accountNumber } = server.access.samples;
    await signIn(page, `${server.access.operatorUrl}/console/#/accounts`, "operator");
    await page.getByRole("link", { name: accountNumber }).waitFor();
    await skip(page);
    await press(page, accountNumber);
    await page.getByRole("button", { name: "Change the status …" }).waitFor();
    await expectFocusOnContent(page);
    await press(page, "Change the status …");
    await page.getByRole("dialog").waitFor();
    // Closed in a select, the keys of a list choose.
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("status");
    await page.keyboard.insertText("S");
    await page.keyboard.press("S");
    await press(page, "Change the status");
    await page.getByText("The account is SUSPENDED now.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectFocusOnContent(page);
    await page.getByText("SUSPENDED").first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("an integrator tries an operation", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page, `${server.access.baseUrl}/docs/try/ledger/#AccountService.GetAccount`);
    await page.getByRole("button", { name: "Sign and send" }).waitFor();
    await skip(page);
    await type(page, "ID", server.access.samples.accountId);
    await page.keyboard.press("Enter");
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await page.evaluate(focused)).toBe("ID");
    await press(page, "Fields of the answer");
    await page.getByText("Amount on hold.", { exact: true }).waitFor();
    await reach(page, "GetSource", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "GetSource" }).waitFor();
    await expectFocusOnContent(page);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
