import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { unpackBrowser } from "./unpacked-browser.ts";

test("two processes that unpack the browser at the same time get one, whole, with its fonts", async () => {
  const parent = mkdtempSync(join(tmpdir(), "browser-"));
  try {
    const [one, other] = await Promise.all([unpackBrowser(parent), unpackBrowser(parent)]);
    expect(one).toEqual(other);
    expect(readdirSync(parent)).toHaveLength(1);
    const fonts = /<dir>(.*)<\/dir>/.exec(readFileSync(one.fontsFile, "utf8"))?.[1] ?? "";
    expect(existsSync(join(fonts, "fonts/Open_Sans/OpenSans-Regular.ttf"))).toBe(true);
    const browser = await launchBrowser(one);
    await browser.close();
  } finally {
    rmSync(parent, { recursive: true });
  }
});

test("a page is written in the browser's own font, whatever the machine has", async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.setContent(`<p style="font-family: monospace">Wide and narrow: WWW iii</p>`);
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector: "p" });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  expect(fonts.map(({ familyName }) => familyName)).toEqual(["Open Sans"]);
  await browser.close();
});
