import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageSignatures, OperatorClient } from "../../generated/operator/client/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-partner-"));
const phone = { viewport: { width: 360, height: 740 } } as const;
let server: RunningServer;
let browser: Browser;
let receiver: Receiver;

beforeAll(async () => {
  // The page signs messages, too; the strict service refuses those that are not.
  const env = { LEDGER_PARTNER_INTERFACE: "on", LEDGER_REPLAY: "strict" };
  [server, browser, receiver] = await Promise.all([
    startServer(dataDir, env),
    launchBrowser(),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([server.stop(), browser.close(), receiver.close()]);
  rmSync(dataDir, { recursive: true });
});

function asOperator(): OperatorClient {
  const { operator, operatorUrl: baseUrl } = server.access;
  const signer = { keyId: operator.keyId, privateKey: operator.privateKeyPem };
  return new OperatorClient({ baseUrl, credential: operator, signer, messageSignatures });
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.access.baseUrl}/partner`);
  await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Subscriptions" }).waitFor();
}

/** Waits until a page has read what it shows; then it is accessible, and not wider than the screen. */
async function judge(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  expect(await violationsOn(page), name).toEqual([]);
  expect(await overflowOf(page), `${name} is wider than the screen`).toBe(0);
}

/** Waits until a delivery was attempted so often: the page reads it again by itself. */
async function attempted(page: Page, times: number): Promise<void> {
  const body = page.getByRole("group", { name: "Attempts" }).locator("tbody tr");
  await expect.poll(() => body.count()).toBe(times);
}

describe("the partner's page", () => {
  test("waits with the sign-in until the access file is read", async () => {
    const { page } = await openPage(browser);
    await page.addInitScript(`{
      const text = File.prototype.text;
      File.prototype.text = async function () {
        await new Promise((wake) => { globalThis.readOn = wake; });
        return text.call(this);
      };
    }`);
    await page.goto(`${server.access.baseUrl}/partner`);
    await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
    const button = page.getByRole("button", { name: "Sign in" });
    await expect.poll(() => page.evaluate("typeof readOn")).toBe("function");
    expect(await button.isDisabled()).toBe(true);
    await page.evaluate("readOn()");
    await button.click();
    await page.getByRole("heading", { level: 1, name: "Subscriptions" }).waitFor();
    await page.close();
  });

  test("shows what the user has, sends a test event and a delivery again", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page);
    await page.getByRole("link", { name: "Northwind desk" }).waitFor();
    await page.getByRole("button", { name: "Subscribe an address" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Callback URL").fill("nowhere");
    await form.getByRole("button", { name: "Subscribe an address" }).click();
    await form.locator('[aria-invalid="true"]').first().waitFor();
    await form.getByLabel("Name", { exact: true }).fill("Treasury");
    await form.getByLabel("Callback URL").fill(receiver.url);
    await form.getByLabel("Account.UPDATE").check();
    await form.getByLabel(server.access.samples.accountNumber).check();
    await form.getByRole("button", { name: "Subscribe an address" }).click();
    await form.getByText("It is made: ").waitFor();
    await form.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("group", { name: "Signing keys" }).getByText(server.access.keyId).waitFor();
    await page.getByRole("link", { name: "Subscriptions" }).click();
    await page.getByRole("link", { name: "Treasury" }).click();
    await page.getByText("Nothing was to be delivered yet.").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await receiver.until(1);
    await page.getByText("On its way: ").getByRole("link").click();
    await attempted(page, 1);
    await page.getByRole("button", { name: "Send it again" }).click();
    await page.getByText("It is on its way again").waitFor();
    const [first, second] = await receiver.until(2);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    await attempted(page, 2);
    const shownUnder = async (heading: string): Promise<string> =>
      (await page.locator(`h3:text-is("${heading}") ~ pre`).first().textContent()) ?? "";
    expect(unsigned(await shownUnder("Body"))).toBe(unsigned(String(second?.body)));
    for (const name of ["content-type", "webhook-id"])
      expect(await shownUnder("Headers")).toContain(`${name}: ${String(second?.headers[name])}\n`);
    expect(await shownUnder("Headers")).toMatch(/^webhook-signature: v1,\S+ v1a,\S+$/m);
    await page.getByRole("link", { name: "Back to the subscription" }).click();
    for (const [label, said] of [
      ["Disable", "It is disabled."],
      ["Enable", "It is enabled; 0 events are on their way, 0 are cancelled."],
    ] as const) {
      await page.getByRole("button", { name: `${label} …` }).click();
      await form.getByRole("button", { name: label, exact: true }).waitFor();
      expect(await form.getByLabel("Resume").count()).toBe(label === "Enable" ? 1 : 0);
      await form.getByRole("button", { name: label, exact: true }).click();
      await form.getByText(said).waitFor();
      await form.getByRole("button", { name: "Close" }).click();
    }
    await page.getByRole("button", { name: "Disable …" }).waitFor();
    await page.goto(`${server.access.baseUrl}/partner/#/subscriptions/nobodys`);
    await page.getByRole("button", { name: "Try again" }).first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("says in words why a test event did not arrive, and why a delivery cannot be sent again", async () => {
    const { page, complaints } = await openPage(browser, phone);
    await signIn(page);
    // Pages that are shorter than the screen keep their parts together.
    expect((await page.locator("nav").boundingBox())?.height).toBeLessThan(60);
    await page.getByRole("button", { name: "Subscribe an address" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("Nobody is there");
    await form.getByLabel("Callback URL").fill("http://127.0.0.1:9/");
    await form.getByLabel("Account.UPDATE").check();
    await form.getByLabel(server.access.samples.accountNumber).check();
    await form.getByRole("button", { name: "Subscribe an address" }).click();
    await form.getByText("It is made: ").getByRole("link").click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("On its way: ").getByRole("link").click();
    await page.getByText("A test event is sent once, and this one did not arrive").waitFor();
    await page.getByText("no connection to the address").waitFor();
    await page.getByRole("link", { name: "Back to the subscription" }).click();
    await page.getByRole("button", { name: "Disable …" }).click();
    await form.getByRole("button", { name: "Disable", exact: true }).click();
    await form.getByRole("button", { name: "Close" }).click();
    await page.getByText("disabled by its own user").waitFor();
    await page.getByRole("link", { name: "Test", exact: true }).click();
    await page.getByRole("button", { name: "Send it again" }).click();
    await page.getByText("Its subscription is disabled: enable it first").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)("is accessible and as wide as $viewport.width", async (options) => {
    // Axe is brought in from outside: the policy of the page lets no script in.
    const { page, complaints } = await openPage(browser, { ...options, bypassCSP: true });
    await page.goto(`${server.access.baseUrl}/partner/`);
    await judge(page, "sign in");
    await signIn(page);
    await judge(page, "subscriptions");
    await page.getByRole("link", { name: "Treasury" }).click();
    await page
      .getByRole("group", { name: /^Deliveries/ })
      .getByRole("link")
      .first()
      .waitFor();
    await judge(page, "a subscription");
    await page
      .getByRole("group", { name: /^Deliveries/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("heading", { name: "Attempts" }).waitFor();
    await judge(page, "a delivery");
    await page.getByRole("link", { name: "Accounts" }).click();
    await page.getByText(server.access.samples.accountNumber).waitFor();
    await judge(page, "accounts");
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("heading", { name: "Transaction.NEW" }).waitFor();
    await judge(page, "events");
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("group", { name: "API keys" }).waitFor();
    await judge(page, "keys");
    const { link } = await asOperator().inviteUser({
      userName: `guest-${options.colorScheme}`,
      email: "guest@northwind.example",
    });
    await page.goto(`${server.access.baseUrl}${link}`);
    await page.getByRole("button", { name: "Accept" }).waitFor();
    await judge(page, "an invitation");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** A body without its signature, which is another each time that it is made. */
function unsigned(body: string): string {
  return body.replace(/"signature":"[^"]+"/, "");
}
