import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../web/browser.ts";
import { filesOf } from "./pages.ts";

const folder = join(import.meta.dirname, "../../generated/ledger/reference");
const pages = [...filesOf(folder).keys()].filter((path) => path.endsWith(".html"));
/** An A4 sheet within margins of 15 mm, in CSS pixels. */
const sheet = { width: 680, height: 1009 };
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("printed pages hold all their text, and meanings stand beside their values", async () => {
  const { page } = await openPage(browser, { viewport: sheet });
  await page.emulateMedia({ media: "print" });
  for (const path of pages) {
    await page.goto(`file://${join(folder, path)}`);
    const clipped = `[...document.querySelectorAll("main, main *")]
      .filter((element) => getComputedStyle(element).display !== "inline" && element.getBoundingClientRect().right > innerWidth + 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 80))`;
    expect.soft(await page.evaluate(clipped), path).toEqual([]);
  }
  await page.goto(`file://${join(folder, "operations/get-account.html")}`);
  const columns = `getComputedStyle(document.querySelector(".values")).gridTemplateColumns.split(" ").length`;
  expect(await page.evaluate(columns)).toBe(2);
  await page.close();
});
