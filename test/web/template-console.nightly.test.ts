import { generateKeyPairSync } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { act, show, signInTo } from "./console-page.ts";
import { startTemplateService, type TemplateService } from "./template-service.ts";

/** Every action of the console of an application that is no bank. */
let service: TemplateService;
let browser: Browser;
let receiver: Receiver;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  [service, browser, receiver] = await Promise.all([
    startTemplateService(),
    launchBrowser(),
    startReceiver(),
  ]);
  ({ page, complaints } = await openPage(browser));
  await signInTo(page, service.adminUrl, service.accessFile);
});
afterAll(() => Promise.all([service.close(), browser.close(), receiver.close()]));

test("a user gets a credential and a key, and loses both", async () => {
  await show(page, "users");
  expect(await act(page, "Issue a credential", { userName: "bob" })).toMatch(/is shown once/);
  await show(page, "users/payments.bob");
  expect(await act(page, "Rotate the credential")).toMatch(/is shown once/);
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = publicKey.export({ type: "spki", format: "pem" });
  expect(await act(page, "Register a key", { PublicKey: String(pem) })).toMatch(/The key is registered/);
  const keyId = await page.getByRole("table", { name: "Signing keys" }).locator("code").first().innerText();
  expect(await act(page, "Revoke the key", {}, keyId)).toBe("The key is revoked.");
  expect(await act(page, "Revoke the credential", {}, "payments.bob")).toMatch(/^Revoked: /);
  expect(complaints).toEqual([]);
});

test("a subscription is tried, changed, given away and deleted; a delivery is sent again", async () => {
  const { subscriptionId } = await service.call("Subscribe", { callbackUrl: `${receiver.url}/hook` });
  await show(page, "users");
  await act(page, "Issue a credential", { userName: "carl" });
  await show(page, `subscriptions/${subscriptionId}`);
  expect(await act(page, "Send a test event")).toMatch(/^On its way: /);
  await receiver.until(1);
  expect(await act(page, "Show the secret")).toMatch(/^whsec_/);
  expect(await act(page, "Rotate the secret")).toMatch(/^whsec_/);
  expect(await act(page, "Deliver a time range again")).toMatch(/deliveries are on their way/);
  await show(page, `deliveries/of/${subscriptionId}`);
  await page.getByRole("link", { name: "Test" }).first().click();
  await page.getByText("Byte for byte as it is posted.").waitFor();
  expect(await act(page, "Send it again")).toMatch(/^It is /);
  await show(page, `subscriptions/${subscriptionId}`);
  expect(await act(page, "Disable or change")).toBe("The subscription is changed.");
  await page.getByRole("button", { name: "Enable or change …" }).waitFor();
  const given = await act(page, "Give it to another user", { userName: "payments.carl" });
  expect(given).toBe("It belongs to payments.carl now.");
  expect(await act(page, "Delete", {}, `${receiver.url}/hook`)).toBe("The subscription is deleted.");
  expect(complaints).toEqual([]);
});

test("the audit log is narrowed to one thing, whatever the application calls it, and has a root", async () => {
  const { id } = await service.call("AddTask", { title: "Buy milk" });
  await show(page, "audit");
  await page.getByLabel("Kind").fill("task");
  await page.getByLabel("Identifier").fill(String(id));
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("cell", { name: "AddTask" }).waitFor();
  expect(await page.locator("main tbody tr").count()).toBe(1);
  await page.getByRole("button", { name: "Compute the root of all entries" }).click();
  await page.getByText(/^The root of the \d+ entries/).waitFor();
  await show(page, "mails");
  expect(await act(page, "Send the failed ones again")).toBe("0 are on their way again.");
  expect(complaints).toEqual([]);
});
