import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-states-"));
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

/** The pages of both sites, by the address of the site. */
function sites(): readonly (readonly [site: string, paths: readonly string[]])[] {
  const { baseUrl, operatorUrl, samples } = server.access;
  const account = `accounts/${samples.accountNumber}`;
  const transaction = `transactions/${samples.referenceId}`;
  const lists = ["customers", "users", "accounts", "subscriptions", "deliveries", "audit"];
  return [
    [`${operatorUrl}/console/#/`, ["overview", ...lists, "users/demo", account, transaction]],
    [
      `${baseUrl}/partner/#/`,
      ["subscriptions", "accounts", "keys", "subscriptions/one", "subscriptions/one/delivery"],
    ],
  ];
}

async function signedIn(site: string): Promise<{ page: Page; complaints: string[] }> {
  const { page, complaints } = await openPage(browser, {
    bypassCSP: true,
    viewport: { width: 390, height: 800 },
  });
  await page.goto(site);
  await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  await settled(page);
  return { page, complaints };
}

async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}

const refusal =
  (code: string, message: string, status = 401) =>
  (route: Route) => {
    const { id }: { readonly id: unknown } = route.request().postDataJSON();
    return route.fulfill({ status, json: { jsonrpc: "2.0", id, error: { code, message } } });
  };

/** The possible outcomes of a request, what the reader is told, and what they can do. */
const failures: readonly (readonly [
  name: string,
  answer: (route: Route) => Promise<void>,
  said: RegExp,
  next: string,
])[] = [
  ["no service", (route) => route.abort("connectionrefused"), /does not answer/, "Try again"],
  [
    "a proxy's page",
    (route) => route.fulfill({ status: 400, contentType: "text/html", body: "<h1>Bad</h1>" }),
    /\S/,
    "Try again",
  ],
  [
    "a service that is busy",
    refusal("UNAVAILABLE", "Service unavailable", 503),
    /busy, starting or stopping\. The page tries again by itself/,
    "Try again",
  ],
  [
    "a key that was revoked",
    refusal("NOT_FOUND_USER_DEVICE", "User device not found"),
    /does not take your key any more/,
    "Sign in again",
  ],
];

describe.each(failures)("where there is %s", (_name, answer, said, next) => {
  test("each page says so, and what to do", async () => {
    for (const [site, paths] of sites()) {
      const { page } = await signedIn(site);
      await page.route("**/*jsonrpc*", answer);
      for (const path of paths) {
        await page.goto(site + path);
        await page.getByRole("alert").filter({ hasText: said }).first().waitFor();
        await page.getByRole("button", { name: next }).first().waitFor();
        expect(await violationsOn(page), path).toEqual([]);
        expect(await overflowOf(page), path).toBe(0);
      }
      await page.close();
    }
  });
});

test("a page whose answer takes long says that it is loading; what comes at last is shown", async () => {
  const { page, complaints } = await signedIn(`${server.access.operatorUrl}/console/#/`);
  const held: Route[] = [];
  let isHeld = true;
  await page.route("**/*jsonrpc*", async (route) => {
    if (isHeld) held.push(route);
    else await route.continue();
  });
  await page.goto(`${server.access.operatorUrl}/console/#/customers`);
  await page.getByText("Loading …").waitFor();
  expect(await violationsOn(page)).toEqual([]);
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await page.getByText("Northwind Traders LLC").waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test("a page that failed shows what there is when it is tried again, and by itself", async () => {
  const { page } = await signedIn(`${server.access.operatorUrl}/console/#/`);
  await page.evaluate("addEventListener('click', () => { globalThis.isTried = true; }, { capture: true })");
  for (const isTried of [true, false]) {
    // The page's own request does not succeed before the button is pressed; otherwise the button would be gone.
    await page.route("**/*jsonrpc*", async (route) => {
      const isBack = isTried && (await page.evaluate("globalThis.isTried === true"));
      await (isBack ? route.continue() : route.abort("connectionrefused"));
    });
    await page.goto(`${server.access.operatorUrl}/console/#/overview`);
    await page.goto(`${server.access.operatorUrl}/console/#/customers`);
    await page.getByRole("button", { name: "Try again" }).waitFor();
    if (isTried) await page.getByRole("button", { name: "Try again" }).click();
    else await page.unroute("**/*jsonrpc*");
    await page.getByText("Northwind Traders LLC").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.unroute("**/*jsonrpc*");
  }
  await page.close();
});

test("a list that renews itself stays beside the failure to read it", async () => {
  const { page } = await signedIn(`${server.access.operatorUrl}/console/#/overview`);
  await page.getByText("Open connections").waitFor();
  await page.route("**/metrics", (route) => route.fulfill({ status: 502, body: "no" }));
  await page.getByText(/^\/metrics was answered with HTTP 502 The page tries again/).waitFor();
  await page.getByText("Open connections").waitFor();
  await page.unroute("**/metrics");
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.close();
});

test("a form opens and keeps what was typed while the service is stopped; it takes effect once", async () => {
  const { page } = await signedIn(`${server.access.operatorUrl}/console/#/customers`);
  const { origin } = new URL(server.access.operatorUrl);
  await page.getByText("Northwind Traders LLC").waitFor();
  // The service does what it is asked for, and its answers are lost; nothing else is answered.
  let isLost = true;
  await page.route(`${origin}/**`, async (route) => {
    if (isLost && route.request().method() === "POST") await route.fetch();
    await (isLost ? route.abort("connectionrefused") : route.continue());
  });
  await page.getByRole("button", { name: "Create a customer …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator('[name="type"]').selectOption("CONSUMER");
  await dialog.locator('[name="name"]').fill("Twice Sent");
  await dialog.locator("button[type=submit]").click();
  await dialog.getByText("sent again from here, it is done once").waitFor();
  isLost = false;
  expect(await dialog.locator('[name="name"]').inputValue()).toBe("Twice Sent");
  await dialog.locator("button[type=submit]").click();
  await dialog.getByText("was created").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  // The list is read again once the dialog is closed.
  await page.getByText("Twice Sent").first().waitFor();
  await settled(page);
  expect(await page.getByText("Twice Sent").count()).toBe(1);
  await page.close();
});

test("a module that could not be fetched is loaded on the same page", async () => {
  const { page } = await openPage(browser, { bypassCSP: true });
  const validators = "**/validators/payloads.js*";
  const signIn = async (): Promise<void> => {
    await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await page.goto(`${server.access.operatorUrl}/console/#/customers`);
  await page.route(validators, (route) => route.abort("connectionrefused"));
  await signIn();
  await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
  await page.unroute(validators);
  await page.route(validators, (route) => route.fulfill({ status: 502, body: "no" }));
  await signIn();
  await page.getByRole("alert").filter({ hasText: "payloads.js was answered with HTTP 502" }).waitFor();
  await page.unroute(validators);
  await signIn();
  await page.getByText("Northwind Traders LLC").waitFor();
  await page.getByRole("button", { name: "Create a customer …" }).click();
  await page.getByRole("dialog").waitFor();
  await page.close();
});

test("a form's module is asked for once", async () => {
  const { page } = await openPage(browser, { bypassCSP: true });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/validators/payloads.js")) asked.push(request.resourceType());
  });
  await page.goto(`${server.access.operatorUrl}/console/#/customers`);
  await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Northwind Traders LLC").waitFor();
  await page.getByRole("button", { name: "Create a customer …" }).click();
  await page.getByRole("dialog").waitFor();
  expect(asked).toEqual(["script"]);
  await page.close();
});
