import chromium from "@sparticuz/chromium";
import axe from "axe-core";
import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { patienceMs } from "../until.ts";
import { unpackBrowser, type UnpackedBrowser } from "./unpacked-browser.ts";

/** A real browser, which knows no fonts but its own. */
export async function launchBrowser(unpacked?: UnpackedBrowser): Promise<Browser> {
  // One process for all ends with its first page; and the pages' own policy is what is tried.
  const unwanted = new Set(["--single-process", "--disable-web-security"]);
  const { executablePath, fontsFile } = unpacked ?? (await unpackBrowser());
  const browser = await playwright.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: fontsFile },
    args: chromium.args.filter((argument) => !unwanted.has(argument)),
    timeout: patienceMs,
  });
  browser.on("context", (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** A page in UTC, unless `options` say otherwise, and what it complains of. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ timezoneId: "UTC", ...options });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints };
}

/** What axe-core finds on a page. The page's own policy stays: the browser runs it from outside, as a debugger does. */
export async function violationsOn(page: Page): Promise<unknown> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe.source);
  return await page.evaluate(
    "axe.run({ preload: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
  );
}

/** By how much a page is wider than the screen. */
export async function overflowOf(page: Page): Promise<unknown> {
  return await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
