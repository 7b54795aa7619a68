import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  badgeReport,
  countsOf,
  htmlReport,
  jsonReport,
  junitReport,
  type RunReport,
} from "../../conformance/index.ts";
import { launchBrowser } from "../web/browser.ts";
import { sampleReport } from "./sample-report.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-"));
const page = `file://${join(folder, "report.html")}`;
let browser: Browser;
let report: RunReport;
let apiKey: string;

beforeAll(async () => {
  ({ report, apiKey } = await sampleReport());
  writeFileSync(join(folder, "report.html"), htmlReport(report));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

async function opened(options: Parameters<Browser["newPage"]>[0] = {}, hash = ""): Promise<Page> {
  const tab = await browser.newPage(options);
  tab.on("pageerror", (error) => {
    throw error;
  });
  await tab.goto(page + hash);
  return tab;
}

describe("the page", () => {
  test("shows failures at once, and filters by words, verdict, level, operation and kind", async () => {
    const tab = await opened();
    const { failed, skipped, passed } = countsOf(report.outcomes);
    const count = tab.locator("#count");
    expect(await tab.locator("h1").textContent()).toBe(`${failed} of ${failed + passed} cases fail`);
    expect(await count.textContent()).toBe(`${failed} of ${report.outcomes.length}`);
    await tab.locator("[value=failed]").uncheck();
    await tab.locator("[value=skipped]").check();
    expect(await count.textContent()).toBe(`${skipped} of ${report.outcomes.length}`);
    await tab.locator("[value=failed]").check();
    await tab.locator("[value=passed]").check();
    const expected = report.outcomes.filter(
      ({ method, level, id }) =>
        method === "AccountService.GetAccount" && level === "document" && id.includes("signature"),
    );
    await tab.locator("#level").selectOption("document");
    await tab.locator("#operation").selectOption("AccountService.GetAccount");
    await tab.locator("#kind").selectOption("signature");
    expect(await tab.locator(".case").count()).toBeGreaterThan(0);
    await tab.locator("#kind").selectOption("");
    await tab.getByLabel("Words to look for").fill("SIGNATURE/");
    const names = await tab.locator(".case .name").allTextContents();
    expect(names).toEqual(expected.filter(({ id }) => id.includes("signature/")).map(({ id }) => id));
    const again = await opened({}, new URL(tab.url()).hash);
    expect(await again.locator(".case .name").allTextContents()).toEqual(names);
    await tab.getByRole("button", { name: "Clear" }).click();
    // The other page is in front: in one behind it the browser may take a second for what the page does later.
    const shown = expect.poll(() => count.textContent());
    await shown.toBe(`${failed} of ${report.outcomes.length}`);
  });

  test("has a cell for each operation and kind that was tried, which leads to its cases", async () => {
    const tab = await opened();
    const rows = await tab.locator("#matrix tbody th").allTextContents();
    expect(rows).toEqual(
      expect.arrayContaining(["AccountService.GetAccount", "AccountService.ListAccounts"]),
    );
    const cell = tab.getByRole("button", { name: /^AccountService.GetAccount, credential: \d+ failed/ });
    const told = Number(/(\d+) failed/.exec((await cell.getAttribute("aria-label")) ?? "")?.[1]);
    await cell.click();
    expect(await tab.locator(".case").count()).toBe(told);
    expect(await tab.locator(".case .tag").allTextContents()).toEqual(Array(told).fill("failed"));
    expect(await tab.evaluate("document.activeElement.id")).toBe("cases-title");
  });

  test("names what many failures have in common, and leads to them", async () => {
    const tab = await opened();
    const cause = tab.locator("#causes button").first();
    const told = Number(/^\d+/.exec((await cause.textContent()) ?? "")?.[0]);
    expect(told).toBeGreaterThan(1);
    await cause.click();
    expect(await tab.locator(".case .tag").allTextContents()).toEqual(Array(told).fill("failed"));
  });

  test("copies a request, by keyboard too", async () => {
    const tab = await opened();
    await tab.locator(".case summary").nth(2).focus();
    await tab.keyboard.press("Enter");
    const button = tab.getByRole("button", { name: "Copy: Request" }).first();
    // It says so for a moment, in which nobody may look.
    await tab.evaluate(`globalThis.copying = new Promise((resolve) => {
      const look = ({ target }) => target.textContent === "Copied" && resolve(target.getAttribute("aria-label"));
      const observer = new MutationObserver((changes) => changes.forEach(look));
      observer.observe(document.body, { childList: true, subtree: true });
    }); undefined`);
    await button.focus();
    await tab.keyboard.press("Enter");
    expect(await tab.evaluate("globalThis.copying")).toBe("Copy: Request");
    const curl = await tab.locator(".case pre").first().textContent();
    expect(curl).toMatch(/^curl -s 'http/);
    const words = tab.getByLabel("Words to look for");
    await words.focus();
    await tab.keyboard.press("ControlOrMeta+V");
    // A field of one line has no line breaks.
    expect((await words.inputValue()).slice(0, 60)).toBe(curl?.replaceAll("\n", " ").slice(0, 60));
  });

  test("draws when what ran, and leads from there to a case", async () => {
    const tab = await opened();
    const drawn = await tab.evaluate(`(() => {
      const canvas = document.getElementById("timeline");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(drawn).toBeGreaterThan(3);
    const slowest = tab.locator("#slowest button").first();
    const id = await slowest.textContent();
    await slowest.click();
    // A sequence is shown with the operation that it is about before its id.
    const [name = ""] = await tab.locator(".case .name").allTextContents();
    expect(name.split(" ").at(-1)).toBe(id);
  });

  test.each(["light", "dark"] as const)("can be read by everybody, %s", async (colorScheme) => {
    const tab = await opened({ colorScheme });
    await tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    const weak = await tab.evaluate(contrastsBelow);
    expect(weak).toEqual([]);
    const nameless = await tab.evaluate(`[...document.querySelectorAll("button, input, select, a")]
      .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.closest("label")))
      .map((each) => each.outerHTML)`);
    expect(nameless).toEqual([]);
    await tab.setViewportSize({ width: 360, height: 700 });
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  test("asks nobody for anything, runs nothing that it shows, and holds no secret", async () => {
    const asked: string[] = [];
    const tab = await browser.newPage();
    tab.on("request", (request) => asked.push(request.url()));
    await tab.goto(page);
    await tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    // Two frames: what the opened parts need is asked for with the first.
    await tab.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
    );
    expect(asked).toEqual([page]);
    expect(await tab.evaluate("window.pwned")).toBeUndefined();
    const texts = [htmlReport(report), junitReport(report), jsonReport(report), badgeReport(report)].join();
    expect(texts).not.toContain(apiKey.slice(0, -1));
    expect(texts).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY-----\\n(?:MI|Mi)/);
  });
});

describe("JUnit XML", () => {
  test("has the elements and attributes that readers of it know", async () => {
    const tab = await browser.newPage();
    const found = await tab.evaluate(
      `(${walk})(new DOMParser().parseFromString(${JSON.stringify(junitReport(report))}, "application/xml"))`,
    );
    expect(found).toEqual({
      testsuites: ["errors", "failures", "name", "tests", "time"],
      testsuite: ["errors", "failures", "hostname", "name", "skipped", "tests", "time", "timestamp"],
      testcase: ["classname", "name", "time"],
      failure: ["message", "type"],
      skipped: ["message"],
    });
  });
});

/** The names of elements of a document, with their attributes; what a parser did not understand. */
const walk = `(document) => {
  const found = {};
  for (const each of document.querySelectorAll("*")) {
    const names = [...each.attributes].map(({ name }) => name);
    found[each.localName] = [...new Set([...(found[each.localName] ?? []), ...names])].sort();
  }
  return found;
}`;

/** Texts whose contrast is below what WCAG 2.2 asks for at level AA. */
const contrastsBelow = `(() => {
  const channels = (color) => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const cache = new Map();
  const luminance = (color) => {
    if (cache.has(color)) return cache.get(color);
    const [r, g, b] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const value = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    cache.set(color, value);
    return value;
  };
  const backgroundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor;
    }
    return "white";
  };
  const weak = new Set();
  for (const each of document.querySelectorAll("body *")) {
    if (![...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) continue;
    if (each.closest("script, style, noscript, .unseen, .skip, [hidden]")) continue;
    const style = getComputedStyle(each);
    const [a, b] = [luminance(each.closest("svg") ? style.fill : style.color), luminance(backgroundOf(each))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.add(each.tagName + "." + each.className + " " + ratio.toFixed(2));
  }
  return [...weak];
})()`;
