import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage, overflowOf, violationsOn } from "../web/browser.ts";
import { filesOf } from "./pages.ts";

const folder = join(import.meta.dirname, "../../generated/ledger/reference");
const pages = [...filesOf(folder).keys()].filter((path) => path.endsWith(".html"));
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const urlOf = (path: string): string => `file://${join(folder, path)}`;

describe("the reference in a browser, from the disk", () => {
  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)(
    "shows every page without a complaint, accessible, as wide as $viewport.width",
    async (options) => {
      // Axe is brought in from outside: the policy of the pages lets no script in.
      const { page, complaints } = await openPage(browser, { ...options, bypassCSP: true });
      for (const path of pages) {
        await page.goto(urlOf(path));
        expect(await violationsOn(page), path).toEqual([]);
        expect(await overflowOf(page), `${path} is wider than the screen`).toBe(0);
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test("is styled, and runs its script, under its own policy", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(urlOf("index.html"));
    await page.locator("form.search").waitFor();
    const top: unknown = await page.evaluate("getComputedStyle(document.querySelector('.top')).position");
    expect(top).toBe("sticky");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("finds an operation, a field's type and an error with the keyboard alone", async () => {
    const { page } = await openPage(browser);
    const find = async (question: string, place: string) => {
      await page.goto(urlOf("operations/get-account.html"));
      await page.keyboard.press("/");
      await page.keyboard.type(question);
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/${place}`);
    };
    await find("addacc", "operations/add-account.html");
    await find("nickname", "types.html#account");
    await find("not_found_user", "errors.html#not-found-user-device");
    await page.close();
  });

  test("reads without scripts", async () => {
    const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(urlOf("operations/get-account.html"));
    const text = await page.locator("main").innerText();
    expect(text).toContain("Reads one account");
    expect(text).toContain("holdBalance");
    expect(await page.locator("form.search").isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
