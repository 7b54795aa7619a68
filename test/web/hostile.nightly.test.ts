import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMock, newMockAccess, readMockAccess } from "../../tools/mock/index.ts";
import { siteFiles } from "../../tools/site/index.ts";
import { tryPages } from "../../tools/site/try-pages.ts";
import { started, type StartedService } from "../conformance/standard/service.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";
import { hostileModel } from "./hostile-spec.ts";

const folder = mkdtempSync(join(tmpdir(), "hostile-"));
const accessFile = join(folder, "access.json");
const phone = { viewport: { width: 360, height: 740 } } as const;
const looks = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", ...phone },
] as const;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** The effects of the spec's markup on a page, if any. */
async function harmOn(page: Page): Promise<unknown> {
  return await page.evaluate(`({
    hacked: globalThis.hacked,
    made: [...document.querySelectorAll("img, a[href^=javascript], svg[onload], main script, nav script")].length,
  })`);
}
const unharmed = { hacked: undefined, made: 0 };

describe.each(["signed-envelope", "json-rpc-2.0"] as const)("a hostile spec of %s", (protocol) => {
  const model = hostileModel(protocol);
  const site = siteFiles(model, { tried: tryPages });
  const [operation = "", ...others] = [...site.keys()].filter((path) => /^operations\/.*html$/.test(path));
  const pages = [...site.keys()].filter(
    (path) => path.endsWith(".html") && !/^(?:try|operations)\//.test(path),
  );
  let service: StartedService;

  beforeAll(async () => {
    writeFileSync(accessFile, JSON.stringify(newMockAccess(model)));
    const mock = createMock(model, {
      access: readMockAccess(model, accessFile),
      errors: new Map(),
      faults: new Map(),
      latencyMs: { least: 0, most: 0 },
      seed: 1,
      pages: () => site,
    });
    service = await started((request, response) => void mock.emit("request", request, response));
  });
  afterAll(() => service.close());

  const docs = (path: string): string => `${service.baseUrl}/docs/${path}`;

  async function signIn(page: Page): Promise<void> {
    const signsIn = page.getByRole("button", { name: "Sign in" });
    await page.locator("h1").first().waitFor();
    if (!(await signsIn.isVisible())) return;
    await page.setInputFiles("input[type=file]", accessFile);
    await signsIn.click();
    await signsIn.waitFor({ state: "detached" });
  }

  test.each(looks)("is read as text, accessible, as wide as $viewport.width", async (look) => {
    const { page, complaints } = await openPage(browser, { ...look, bypassCSP: true });
    for (const path of [...pages, operation, others.at(-1) ?? ""]) {
      await page.goto(docs(path));
      expect(await harmOn(page), path).toEqual(unharmed);
      if (look.colorScheme === "dark") expect.soft(await violationsOn(page), path).toEqual([]);
      expect.soft(await overflowOf(page), `${path} is wider than the screen`).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("has forms of types that contain themselves, as deep as they are asked for", async () => {
    const { page, complaints } = await openPage(browser, phone);
    await page.goto(docs(`try/hostile/#${encodeURIComponent(model.methods[0]?.name ?? "")}`));
    await signIn(page);
    await page.locator('[name="label"]').first().fill("a");
    // Hints are prose with code, and turn nothing but themselves.
    const hint = `document.querySelector("main .hint > span:has(code)")`;
    expect(await page.evaluate(`getComputedStyle(${hint}).unicodeBidi`)).toBe("isolate");
    expect(await page.evaluate(`${hint}.textContent`)).not.toContain("`");
    await page.getByRole("button", { name: "Fill in self" }).first().click();
    await page.locator('[name="label"]:focus').fill("c");
    await page.getByRole("button", { name: /^(Sign and send|Send)$/ }).click();
    await page.locator('[name="label"]:focus').fill("b");
    await page.getByRole("button", { name: /^(Sign and send|Send)$/ }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    const sent = await page.locator("details pre").first().textContent();
    expect(sent?.replaceAll(/\s/g, "")).toContain('{"label":"a","self":{"label":"b","self":{"label":"c"}}}');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("reads without scripts", async () => {
    const { page, complaints } = await openPage(browser, { ...phone, javaScriptEnabled: false });
    await page.goto(docs(operation));
    expect(await page.locator("main").innerText()).toContain("<script>globalThis.hacked = 1</script>");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("is searched: what is found is text, and leads to its place", async () => {
    const { page, complaints } = await openPage(browser, phone);
    for (const [question, place] of [
      ["veryLongName", "very-long-name"],
      ["Enormous", "types.html#enormous"],
      ["onerror", ""],
      ["__proto__", "types.html#enormous"],
    ] as const) {
      await page.goto(docs("index.html"));
      await page.keyboard.press("/");
      await page.keyboard.type(question);
      await page.getByRole("option").first().waitFor();
      expect(await overflowOf(page), question).toBe(0);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.href.includes(place) && !url.href.endsWith("docs/index.html"));
      expect(await harmOn(page), question).toEqual(unharmed);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("is tried: each operation has a form, and an answer", async () => {
    const { page, complaints } = await openPage(browser, { ...phone, bypassCSP: true });
    for (const { name } of model.methods) {
      await page.goto(docs(`try/hostile/#${encodeURIComponent(name)}`));
      await signIn(page);
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await page.getByText("Begin with:").getByRole("button").first().click();
      await page.getByRole("button", { name: /^(Sign and send|Send)$/ }).click();
      await page.getByRole("heading", { level: 2, name: /^Answer/ }).waitFor();
      await page.getByText("The answer is as the contract says.").waitFor();
      expect(await harmOn(page), name).toEqual(unharmed);
      expect.soft(await violationsOn(page), name).toEqual([]);
      expect.soft(await overflowOf(page), name).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});
