import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";
import { act, show, signInTo } from "./console-page.ts";
import { startTemplateService, type TemplateService } from "./template-service.ts";

/** The console of an application that is no bank. The nightly test does every action. */
let service: TemplateService;
let browser: Browser;
let receiver: Receiver;
beforeAll(async () => {
  [service, browser, receiver] = await Promise.all([
    startTemplateService(),
    launchBrowser(),
    startReceiver(),
  ]);
});
afterAll(() => Promise.all([service.close(), browser.close(), receiver.close()]));

test("operators of any application sign in with the sandbox's access file and see all pages", async () => {
  const front = await fetch(service.adminUrl);
  expect([front.status, new URL(front.url).pathname]).toEqual([200, "/console/"]);
  expect(front.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self';");
  const { page, complaints } = await openPage(browser);
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET") loaded.push(request.url());
  });
  await signInTo(page, service.adminUrl, service.accessFile);
  expect(loaded.length).toBeLessThanOrEqual(10);
  expect(await page.locator("#pages a").allInnerTexts()).toEqual([
    "Overview",
    "Users and keys",
    "Subscriptions",
    "Deliveries",
    "Mails",
    "Audit",
  ]);
  const { id } = await service.call("AddTask", { title: "Buy milk" });
  await service.call("Subscribe", { callbackUrl: `${receiver.url}/tasks` });
  await service.call("FinishTask", { id });
  const [posted] = await receiver.until(1);

  for (const [path, heading, text] of [
    ["users", "Users and keys", "payments"],
    ["users/demo", "demo", "ACTIVE"],
    ["subscriptions", "Subscriptions", `${receiver.url}/tasks`],
    ["deliveries", "Deliveries", "Task.FINISHED"],
    ["mails", "Mails", "There is no such mail."],
    ["audit", "Audit", "AddTask"],
    ["overview", "Overview", "Subscribe"],
  ] as const) {
    await show(page, path);
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await page.locator("main").getByText(text).first().waitFor();
    expect([path, await violationsOn(page)]).toEqual([path, []]);
    expect([path, await overflowOf(page)]).toEqual([path, 0]);
  }

  await page.getByText("ready", { exact: true }).waitFor();

  await show(page, "deliveries");
  await page.getByRole("link", { name: "Task.FINISHED" }).click();
  await page.getByText("Byte for byte as it is posted.").waitFor();
  // It is signed anew when it is shown.
  const unsigned = (body = ""): string => body.replace(/"signature":"[^"]+"/, "");
  expect(unsigned((await page.locator("main pre").last().textContent()) ?? "")).toBe(unsigned(posted?.body));
  await show(page, "users");
  expect(await act(page, "Issue a credential", { userName: "ann" })).toMatch(/^The API key of payments.ann/);
  await page.getByRole("link", { name: "payments.ann" }).waitFor();
  expect(complaints).toEqual([]);
});
