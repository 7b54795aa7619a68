import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { dialect } from "../conformance/standard/describe.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";
import { deskMethods, expectShellCalls, shownText, signInAtDesk, startDesk, type Desk } from "./desk.ts";

let browser: Browser;
let desk: Desk;

beforeAll(async () => {
  [desk, browser] = await Promise.all([startDesk(), launchBrowser()]);
});
afterAll(async () => {
  desk.close();
  await browser.close();
});

describe("try it, of a standard interface", () => {
  test.each(deskMethods)("is called as %s, and so does the shell program that it shows", async (name) => {
    const { page, complaints } = await openPage(browser);
    await signInAtDesk(page, desk, name);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    await expectShellCalls(page, desk, name);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("says where a call was refused that the clock of the computer is wrong", async () => {
    const { page } = await openPage(browser);
    await page.clock.install({ time: new Date(Date.now() + 3_600_000) });
    await signInAtDesk(page, desk, "sealed p256");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The clock of this computer is 60 minutes ahead of the service's.").waitFor();
    await page.close();
  });

  test("says what a browser cannot do with a certificate, and shows the call that can", async () => {
    const { page } = await openPage(browser);
    await page.goto(desk.urlOf("certified"));
    await page.getByText("A page cannot choose a certificate").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It asks for proxied, and there are no credentials for it.").waitFor();
    await page.goto(desk.urlOf("certified"));
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
    await page.goto(desk.urlOf("owned"));
    await page.getByLabel("Access file").setInputFiles(desk.accessFile);
    await expect.poll(() => page.getByLabel("Headers, a line each").inputValue()).toBe("X-Desk: clerk-7");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "The exact request")).toContain("x-desk: clerk-7");
    await page.close();
  });

  test("writes parameters by position, and null where an optional one is left out", async () => {
    const { page, complaints } = await openPage(browser);
    await signInAtDesk(page, desk, "placed");
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
    await signInAtDesk(page, desk, "touched");
    await page.locator('[name="id"]').fill("7");
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It was taken. A notification is not answered.").waitFor();
    await page.goto(desk.urlOf("open"));
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

  test("speaks a dialect, alone and in a batch", async () => {
    const dialectDesk = await startDesk(dialect);
    onTestFinished(() => dialectDesk.close());
    const { page, complaints } = await openPage(browser);
    await signInAtDesk(page, dialectDesk, "open");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "The exact request")).toContain('"cmd":"open"');
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("button", { name: "Send the batch" }).click();
    await expect.poll(() => page.getByText("The answer is as the contract says.").count()).toBe(2);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("explains an error by the contract", async () => {
    const { page } = await openPage(browser);
    await page.route("**/rpc", (route) =>
      route.continue({ headers: { ...route.request().headers(), "mock-error": "GONE" } }),
    );
    await signInAtDesk(page, desk, "session");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It has been removed. Read the list again.").waitFor();
    await page.close();
  });

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)("is accessible, as wide as $viewport.width", async (options) => {
    const { page } = await openPage(browser, { ...options, bypassCSP: true });
    await page.goto(desk.urlOf("placed"));
    await page.getByRole("button", { name: "Continue" }).waitFor();
    expect(await violationsOn(page), "sign in").toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await signInAtDesk(page, desk, "placed");
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
    await signInAtDesk(page, desk, "open");
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
    await signInAtDesk(page, desk, "open");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("The answer has nothing for open.").waitFor();
    const heading = page.getByRole("heading", { level: 2, name: /^Answer/ });
    expect(await heading.textContent()).toBe("Answer error");
    await page.close();
  });

  test("is reached from the reference", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${desk.baseUrl}/docs/operations/open.html`);
    await page.getByText("Try it", { exact: true }).click();
    await page.getByRole("link", { name: "Try it on a page of its own" }).click();
    await page.getByRole("heading", { level: 1, name: "Who calls" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
