/**
 * `npm run pictures`: makes the pictures of the guides, `docs/images/*.webp`, from a new service with demo data. Run it when
 * a page that they show looks different, and commit what it writes.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { until } from "../until.ts";
import { launchBrowser } from "./browser.ts";
import { signInTo } from "./console-page.ts";

const repository = join(import.meta.dirname, "../..");
/** What a reader of a guide waits for, over a slow line, at most. */
const pictureBytesMax = 60_000;
const size = { width: 1200, height: 680 };

const dataDir = mkdtempSync(join(tmpdir(), "ledger-pictures-"));
const accessFile = join(dataDir, "access.json");
const [server, browser, receiver] = await Promise.all([
  startServer(dataDir, { LEDGER_PARTNER_INTERFACE: "on" }),
  launchBrowser(),
  startReceiver(),
]);
try {
  const page = await browser.newPage({
    colorScheme: "light",
    locale: "en-US",
    timezoneId: "UTC",
    viewport: size,
  });
  await showPortal(page, server, receiver);
  await showConsole(page, server);
  await showReference(page, server);
  await showReport(page);
} finally {
  await Promise.all([server.stop(), browser.close(), receiver.close()]);
  rmSync(dataDir, { recursive: true });
}

async function showPortal(page: Page, { access }: RunningServer, receiving: Receiver): Promise<void> {
  await page.goto(`${access.baseUrl}/partner`);
  await page.setInputFiles("input[type=file]", accessFile);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Subscribe an address" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name", { exact: true }).fill("Treasury");
  await form.getByLabel("Callback URL").fill(receiving.url);
  await form.getByLabel("Account.UPDATE").check();
  await form.getByLabel(access.samples.accountNumber).check();
  await form.getByRole("button", { name: "Subscribe an address" }).click();
  await form.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Treasury" }).click();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByText("On its way: ").getByRole("link").click();
  await receiving.until(1);
  await page.getByText("DELIVERED").first().waitFor();
  await take(page, "portal-delivery");
}

async function showConsole(page: Page, { access }: RunningServer): Promise<void> {
  await signInTo(page, access.operatorUrl, accessFile);
  await until(async () => {
    const text = await page.getByRole("main").innerText();
    return text.includes("Requests") && !/measuring|Loading/.test(text);
  });
  await take(page, "console-overview");
  await page.goto(`${access.operatorUrl}/console/#/customers`);
  await page.getByRole("link", { name: "Northwind Traders LLC" }).click();
  await page.getByRole("link", { name: "Tomas Berg" }).waitFor();
  await take(page, "console-customer");
}

async function showReference(page: Page, { access }: RunningServer): Promise<void> {
  await page.goto(`${access.baseUrl}/docs/operations/get-account.html`);
  await page.getByLabel("Language of the programs").waitFor();
  await take(page, "reference-operation");
}

async function showReport(page: Page): Promise<void> {
  const report = join(dataDir, "report.html");
  const operations = ["GetAccount", "ListAccount", "GetBeneficiary", "ListBeneficiary"];
  const words = [
    "conform",
    "--access",
    accessFile,
    "--html",
    report,
    "--explore",
    "0",
    "--operation",
    ...operations.map((name) => `AccountService.${name}`),
  ];
  await promisify(execFile)(process.execPath, ["generator/cli/main.ts", ...words], { cwd: repository });
  await page.goto(pathToFileURL(report).href);
  await take(page, "conformance-report");
}

/** Writes what a page shows, as small as a browser makes it. */
async function take(page: Page, name: string): Promise<void> {
  await page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)");
  const shown = await page.screenshot({ animations: "disabled", caret: "hide" });
  const picture = await compressed(browser, shown);
  if (picture.length > pictureBytesMax)
    throw new Error(
      `${name}.webp has ${picture.length} bytes, over ${pictureBytesMax}: show less of the page`,
    );
  writeFileSync(join(repository, "docs/images", `${name}.webp`), picture);
  console.log(`docs/images/${name}.webp ${picture.length} bytes`);
}

/** A picture as WebP: the browser's canvas is the encoder. */
async function compressed(within: Browser, png: Buffer): Promise<Buffer> {
  const page = await within.newPage();
  const url = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.75 });
    const reader = new FileReader();
    return await new Promise((resolve) => {
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(blob);
    });
  })()`);
  await page.close();
  return Buffer.from(String(url).replace(/^.*,/, ""), "base64");
}
