import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage, overflowOf, violationsOn } from "../web/browser.ts";
import { createProject, repository } from "../e2e-generator/project.ts";
import { filesOf } from "./pages.ts";

const folder = join(import.meta.dirname, "../../generated/ledger/reference");
const pages = [...filesOf(folder).keys()].filter((path) => path.endsWith(".html"));
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const urlOf = (path: string): string => `file://${join(folder, path)}`;

/** Words of headings, links and cells that stand on two lines although a line has room for them. */
const brokenWords = `(() => {
  const broken = [];
  const within = document.createRange();
  const linesOf = (text, start, end) => {
    within.setStart(text, start);
    within.setEnd(text, end);
    return new Set([...within.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
  };
  for (const element of document.querySelectorAll("h1, h2, h3, main a, th, td")) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/(?<!\\p{L})\\p{L}{2,20}(?!\\p{L})/gu))
        if (linesOf(text, index, index + word.length).size > 1) broken.push(word + " in " + element.textContent.trim().slice(0, 60));
  }
  return broken;
})()`;

describe("the reference in a browser, from the disk", () => {
  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
    // A screen of 1280 by 1024 at a zoom of 400 %.
    { colorScheme: "light", viewport: { width: 320, height: 256 } },
  ] as const)(
    "shows every page without a complaint, accessible, as wide as $viewport.width",
    async (options) => {
      // Axe is brought in from outside: the policy of the pages lets no script in.
      const { page, complaints } = await openPage(browser, { ...options, bypassCSP: true });
      for (const path of pages) {
        await page.goto(urlOf(path));
        expect(await violationsOn(page), path).toEqual([]);
        expect(await overflowOf(page), `${path} is wider than the screen`).toBe(0);
        expect(await page.evaluate(brokenWords), path).toEqual([]);
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test("has its menu folded on a narrow screen, and there again once the screen is wide", async () => {
    const { page } = await openPage(browser, { viewport: { width: 320, height: 720 } });
    await page.goto(urlOf("errors.html"));
    const link = page.getByRole("navigation", { name: "Reference" }).getByRole("link", { name: "Types" });
    await page.getByText("Contents").waitFor();
    expect(await link.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await link.waitFor();
    await page.close();
  });

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

  test("leads to the same page of another revision, and says which is newer", async () => {
    const project = createProject(join(repository, "test/cases/generate/base"));
    const spec = "spec/notes/interface.yaml";
    for (const revision of ["1.0.0", "1.1.0"]) {
      project.write(spec, project.read(spec).replace(/revision: .*/, `revision: ${revision}`));
      expect((await project.run(["docs", "--versions"])).exitCode).toBe(0);
    }
    const { page, complaints } = await openPage(browser, { bypassCSP: true });
    await page.goto(`file://${project.root}/site/notes/index.html`);
    await page.waitForURL(/1\.1\.0\/index\.html$/);
    await page.click("details.revisions summary");
    await page.click("details.revisions >> text=1.0.0");
    await page.goto(page.url().replace("index.html", "errors.html"));
    expect(await violationsOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    await page.click(".older a");
    expect(page.url()).toMatch(/1\.1\.0\/errors\.html$/);
    expect(await page.locator(".older").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
    project.dispose();
  });
});
