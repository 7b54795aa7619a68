import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { messageSignatures, OperatorClient } from "../../generated/operator/client/index.ts";
import { demoInstitutionId } from "../../ledger/seed/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";
import { complete, openDialog, show, signInTo } from "./console-page.ts";
import { deskMethods, expectShellCalls, shownText, signInAtDesk, startDesk, type Desk } from "./desk.ts";

/**
 * The main path of every page, in one browser and on one service. The content of a page is compared with the approved
 * text, so anything missing is noticed. Other screens, failures and rare paths are in the nightly tests.
 */
const dataDir = mkdtempSync(join(tmpdir(), "ledger-pages-"));
const reportFile = join(dataDir, "report.html");
const accessFile = join(dataDir, "access.json");
let server: RunningServer;
let browser: Browser;
let receiver: Receiver;
let desk: Desk;

beforeAll(async () => {
  // The strict service takes what is signed twice; the pages sign both.
  const env = { LEDGER_PARTNER_INTERFACE: "on", LEDGER_REPLAY: "strict", LEDGER_CONSOLE_REPORT: reportFile };
  [server, browser, receiver, desk] = await Promise.all([
    startServer(dataDir, env),
    launchBrowser(),
    startReceiver(),
    startDesk(),
  ]);
});
afterAll(async () => {
  desk.close();
  await Promise.all([server.stop(), browser.close(), receiver.close()]);
  rmSync(dataDir, { recursive: true });
});

/** Without what is different each time: identifiers, addresses and times. */
function masked(text: string): string {
  const { samples, keyId, operator } = server.access;
  const own = { ...samples, keyId, operatorKeyId: operator.keyId };
  return Object.entries(own)
    .filter(([name]) => /Id$|Number$/.test(name))
    .reduce((whole, [name, value]) => whole.replaceAll(value, `‹${name}›`), text)
    .replace(/[A-Z][a-z]{2} \d{1,2}, \d{4},? \d{1,2}:\d\d:\d\d\s[AP]M( UTC)?/g, "‹time›")
    .replace(/\d{1,2}\/\d{1,2}\/\d\d, \d{1,2}:\d\d:\d\d\s[AP]M( UTC)?/g, "‹time›")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?( UTC|Z)?/g, "‹time›")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "‹id›")
    .replace(/\b01[0-9A-Z]{24}\b/g, "‹id›")
    .replace(/\b[0-9a-f]{64}\b/g, "‹hash›")
    .replace(/\bM[A-Z][\w+/]{60,}=*|(?<=\bv1a?,)[\w+/]{40,}=*/g, "‹signature›")
    .replace(/(?<=webhook-timestamp: )\d{10}/g, "‹time›")
    .replace(/(?<=x-interface-revision: )[\d.]+/g, "‹revision›")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "‹address›")
    .replace(/\b\d{15}\b/g, "‹account›")
    .replace(/\b\d{13}\b/g, "‹time›")
    .replace(/[\d.]+ ms\b/g, "‹number› ms")
    .replace(/Last used never/g, "Last used ‹time›");
}

/** What a page shows, without what is different each time. */
async function shownOn(page: Page, region = "main"): Promise<string> {
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  const text = await page.locator(region).ariaSnapshot();
  // A row's name is all that its cells say.
  return clearingFirst(masked(text).replace(/^ *- '?(cell|columnheader|rowgroup)\b.*(\n|$)/gm, ""));
}

/** One call opens the clearing and the pool account. In one millisecond identifiers decide which is listed first. */
function clearingFirst(shown: string): string {
  const row = (name: string): string => ` *- row "‹account› ${name}.*\n(?: *- link .*\n *- /url: .*\n)`;
  const together = new RegExp(
    `^(${row("Northwind pool account")})(${row("Clearing with outside parties")})`,
    "m",
  );
  return shown.replace(together, "$2$1");
}

/** That a page is accessible and as wide as the screen. */
async function judge(page: Page, name: string): Promise<void> {
  expect(await violationsOn(page), name).toEqual([]);
  expect(await overflowOf(page), `${name} is wider than the screen`).toBe(0);
}

/** Compares what pages show with what was approved. */
async function approve(file: string, shown: ReadonlyMap<string, string>): Promise<void> {
  const text = [...shown].map(([name, each]) => `# ${name}\n${each}\n`).join("\n");
  await expect(text).toMatchFileSnapshot(`approved/${file}.txt`);
}

function asOperator(): OperatorClient {
  const { operator, operatorUrl: baseUrl } = server.access;
  const signer = { keyId: operator.keyId, privateKey: operator.privateKeyPem };
  return new OperatorClient({ baseUrl, credential: operator, signer, messageSignatures });
}

describe("the reference", () => {
  test("shows its pages, finds what is looked for, and leads to Try it and back", async () => {
    const { page, complaints } = await openPage(browser);
    const urlOf = (path: string): string => `${server.access.baseUrl}/docs/${path}`;
    for (const path of ["index.html", "errors.html", "events.html", "states.html"]) {
      await page.goto(urlOf(path));
      await judge(page, path);
    }
    await page.goto(urlOf("operations/get-account.html"));
    await page.getByLabel("Language of the programs").selectOption("go");
    await page.locator("pre:visible", { hasText: 'method := "AccountService.GetAccount"' }).waitFor();
    await page.getByText("Run it with go run call.go.").waitFor();
    await judge(page, "a program in another language");
    await page.keyboard.press("/");
    await page.keyboard.type("not_found_user");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/errors.html#not-found-user-device");
    await page.setViewportSize({ width: 320, height: 720 });
    await page.goto(urlOf("operations/add-account.html"));
    const link = page.getByRole("navigation", { name: "Reference" }).getByRole("link", { name: "Types" });
    await page.getByText("Contents").waitFor();
    expect(await link.isVisible()).toBe(false);
    await judge(page, "a narrow screen");
    await page.setViewportSize({ width: 1280, height: 800 });
    await link.waitFor();
    await page.getByText("Try it", { exact: true }).click();
    await page.frameLocator("iframe").getByRole("button", { name: "Sign in" }).waitFor();
    await page.getByRole("link", { name: "Try it on a page of its own" }).click();
    await page.getByRole("heading", { level: 1, name: "Who calls" }).waitFor();
    await page.getByRole("link", { name: "Reference" }).click();
    await page.waitForURL("**/docs/index.html");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("the partner's page", () => {
  test("makes a subscription, sends a test event and shows its delivery", async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 390, height: 800 } });
    const shown = new Map<string, string>();
    const look = async (name: string, region = "main"): Promise<void> => {
      shown.set(name, await shownOn(page, region));
      await judge(page, name);
    };
    await page.goto(`${server.access.baseUrl}/partner`);
    await look("sign in");
    await page.setInputFiles("input[type=file]", accessFile);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Northwind desk" }).waitFor();
    await page.getByRole("button", { name: "Subscribe an address" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Callback URL").fill("nowhere");
    await form.getByRole("button", { name: "Subscribe an address" }).click();
    await form.locator('[aria-invalid="true"]').first().waitFor();
    await look("a wrong form", "dialog");
    await form.getByLabel("Name", { exact: true }).fill("Treasury");
    await form.getByLabel("Callback URL").fill(receiver.url);
    await form.getByLabel("Account.UPDATE").check();
    await form.getByLabel(server.access.samples.accountNumber).check();
    await form.getByRole("button", { name: "Subscribe an address" }).click();
    await form.getByText("It is made: ").waitFor();
    await form.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Treasury" }).waitFor();
    await look("subscriptions");
    for (const [name, text] of [
      ["Accounts", server.access.samples.accountNumber],
      ["Events", "Transaction.NEW"],
    ] as const) {
      await page.getByRole("link", { name }).click();
      await page.getByText(text).first().waitFor();
      // In one millisecond identifiers decide which of two accounts is listed first.
      await (name === "Accounts" ? judge(page, name) : look(name.toLowerCase()));
    }
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("group", { name: "API keys" }).waitFor();
    await look("keys");
    await page.getByRole("button", { name: "Make a key here" }).click();
    const saved = page.getByRole("link", { name: "Save the private key" });
    const keyId = ((await saved.getAttribute("download")) ?? "").replace(".pem", "");
    const row = page.getByRole("row", { name: keyId });
    await row.getByRole("button", { name: "Revoke" }).click();
    await form.getByLabel(/^Type/).fill("revoke");
    await look("revoke a key", "dialog");
    await form.getByRole("button", { name: "Revoke", exact: true }).click();
    await form.getByText("The key is revoked.").waitFor();
    await form.getByRole("button", { name: "Close" }).click();
    await row.getByText("REVOKED").waitFor();
    await page.getByRole("link", { name: "Subscriptions" }).click();
    await page.getByRole("link", { name: "Treasury" }).click();
    await page.getByText("Nothing was to be delivered yet.").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("On its way: ").getByRole("link").click();
    await attempted(page, 1);
    await page.getByRole("button", { name: "Send it again" }).click();
    await page.getByText("It is on its way again").waitFor();
    const [first, second] = await receiver.until(2);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    await attempted(page, 2);
    await look("a delivery");
    await page.getByRole("link", { name: "Back to the subscription" }).click();
    for (const [label, said] of [
      ["Disable", "It is disabled."],
      ["Enable", "It is enabled; 0 events are on their way, 0 are cancelled."],
    ] as const) {
      await page.getByRole("button", { name: `${label} …` }).click();
      await form.waitFor();
      shown.set(label, await shownOn(page, "dialog"));
      await form.getByRole("button", { name: label, exact: true }).click();
      await form.getByText(said).waitFor();
      await form.getByRole("button", { name: "Close" }).click();
    }
    await page.getByRole("button", { name: "Disable …" }).waitFor();
    await look("a subscription");
    /** Opens an action of the subscription, does it, and gives what is said then. */
    const change = async (label: string, fill = async (): Promise<void> => {}): Promise<string> => {
      await page.getByRole("button", { name: `${label} …` }).click();
      await form.waitFor();
      await fill();
      await look(label, "dialog");
      await form.getByRole("button", { name: label, exact: true }).click();
      const said = form.locator(".notice");
      await said.waitFor();
      const text = (await said.textContent()) ?? "";
      await form.getByRole("button", { name: /^(Close|Cancel)$/ }).click();
      return text;
    };
    expect(await change("Show the secret")).toMatch(/^whsec_/);
    expect(await change("Show the secret")).toContain("was shown before");
    expect(await change("Rotate the secret")).toMatch(/^whsec_.*signs too until/);
    const remark = () => form.getByLabel("Remarks optional").fill("For the desk");
    expect(await change("Change", remark)).toContain("changed");
    // The console's test needs the subscription: another word does not delete it.
    expect(await change("Delete", () => form.getByLabel("Type Treasury to confirm").fill("Till"))).toBe(
      "Type Treasury first.",
    );
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Treasury" }).waitFor();
    await approve("partner", shown);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("takes an invitation once, with a key that it makes, and keeps the token out of the address", async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 390, height: 800 } });
    const { baseUrl } = server.access;
    const email = "books@northwind.example";
    const { link, userName } = await asOperator().inviteUser({ userName: "northwind-guest", email });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));
    await page.goto(`${baseUrl}${link}`);
    await page.getByRole("heading", { level: 1, name: "You are invited" }).waitFor();
    expect(page.url()).toBe(`${baseUrl}/partner/`);
    await judge(page, "an invitation");
    await page.getByRole("button", { name: "Accept" }).press("Enter");
    const saved = page.getByRole("link", { name: "Save the access file" });
    await saved.waitFor();
    expect(await page.locator("a:focus").textContent()).toBe("Save the access file");
    await judge(page, "an accepted invitation");
    const [download] = await Promise.all([page.waitForEvent("download"), saved.press("Enter")]);
    const access: unknown = JSON.parse(readFileSync(await download.path(), "utf8"));
    expect(access).toEqual({
      baseUrl,
      userName,
      apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      keyId: expect.any(String),
      privateKeyPem: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----/),
    });
    await page.getByRole("button", { name: "Sign in" }).press("Enter");
    await page.getByText("You have no subscription yet.").waitFor();
    await page.reload();
    await page.getByText("You have no subscription yet.").waitFor();
    const token = link.split("/").at(-1) ?? "";
    expect(asked.filter((each) => each.includes(token))).toEqual([]);
    // The same link once more: nobody gets a second key by it.
    await page.goto("about:blank");
    await page.goto(`${baseUrl}${link}`);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("This invitation is over, or was used.").waitFor();
    expect(
      complaints.filter((each) => !each.includes("status of 401") && !each.includes("status of 409")),
    ).toEqual([]);
    await page.close();
  });

  /** Waits until a delivery was attempted so often: the page reads it again by itself. */
  async function attempted(page: Page, times: number): Promise<void> {
    const rows = page.getByRole("group", { name: "Attempts" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(times);
  }
});

describe("try it", () => {
  test("sends a form, judges the answer, and shows a program that sends the same", async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 390, height: 800 } });
    const shown = new Map<string, string>();
    const urlOf = (name: string): string => `${server.access.baseUrl}/docs/try/ledger/#${name}`;
    await page.goto(urlOf("AccountService.GetAccount"));
    await page.getByRole("button", { name: "Make a key pair here" }).click();
    await page.getByText("BEGIN PUBLIC KEY").waitFor();
    await judge(page, "sign in");
    await page.setInputFiles("input[type=file]", accessFile);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "AccountService.GetAccount" }).waitFor();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText("is needed").first().waitFor();
    await page.locator('[name="ID"]:focus').fill(server.access.samples.accountId);
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    await page.getByText("Fields of the answer").click();
    await page.getByText("Amount on hold.", { exact: true }).waitFor();
    shown.set("an answer", await shownOn(page));
    await judge(page, "an answer");
    for (const title of ["curl and openssl", "with the generated client"])
      shown.set(title, masked(await shownText(page, title)));
    await page.getByRole("navigation", { name: "Operations" }).getByText("Operations").press("Enter");
    await page.getByRole("link", { name: "GetSource", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "GetSource" }).waitFor();
    await page.getByText("Begin with:").getByRole("button").first().click();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByRole("heading", { level: 2, name: /^Answer/ }).waitFor();
    shown.set("an error", await shownOn(page));
    await page.goto(urlOf("AccountService.ListAccounts"));
    await page.getByRole("heading", { level: 1, name: "AccountService.ListAccounts" }).waitFor();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.getByText("Fill in at least one of these: PageNumber, PageSize, filter.").waitFor();
    expect(await page.locator("p.error:not(:empty)").count()).toBe(0);
    await page.goto(urlOf("CustomerService.AddAccount"));
    const label = page.locator("label", { hasText: "custodialType" });
    expect(await label.textContent()).toBe("custodialType optional");
    await page.locator('[name="accountType"]').selectOption("CUSTODIAL");
    expect(await label.textContent()).toBe("custodialType");
    await page.goto(urlOf("CreateSubscription"));
    await page.getByRole("heading", { level: 1, name: "CreateSubscription" }).waitFor();
    await page.getByText("Begin with:").getByRole("button").first().click();
    await page.getByRole("button", { name: "Sign and show" }).click();
    await page.getByRole("heading", { level: 2, name: "Request" }).waitFor();
    await judge(page, "a request");
    shown.set("a request", await shownOn(page));
    await approve("try", shown);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("calls a standard interface in every scheme, with parameters by position, and in a batch", async () => {
    const { page, complaints } = await openPage(browser);
    const shown = new Map<string, string>();
    const go = async (method: string): Promise<void> => {
      await page.goto(desk.urlOf(method));
      await page.getByRole("heading", { level: 1, name: method, exact: true }).waitFor();
    };
    const send = () => page.getByRole("button", { name: "Send", exact: true }).click();
    await page.goto(desk.urlOf("open"));
    await page.getByRole("button", { name: "Continue" }).waitFor();
    await judge(page, "who calls");
    await signInAtDesk(page, desk, "open");
    for (const method of deskMethods) {
      await go(method);
      await send();
      await page.getByText("The answer is as the contract says.").waitFor();
      await expectShellCalls(page, desk, method);
      shown.set(method, masked(await shownText(page, "TypeScript")));
    }
    await go("owned");
    await send();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "The exact request")).toContain("x-desk: clerk-7");
    await go("placed");
    await send();
    await page.getByText("is needed").first().waitFor();
    await page.locator('[name="text"]:focus').fill("Ink");
    await page.locator('[name="tags"]').fill('{"a": 1}');
    await send();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "The exact request")).toContain('"params":["Ink",null,{"a":1}]');
    await go("touched");
    await page.locator('[name="id"]').fill("7");
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await send();
    await page.getByText("It was taken. A notification is not answered.").waitFor();
    await go("open");
    await page.getByRole("button", { name: "Add to a batch" }).click();
    await page.getByRole("heading", { level: 2, name: "Batch of 2" }).waitFor();
    await page.getByRole("button", { name: "Send the batch" }).click();
    await page.getByText("The answer is as the contract says.").waitFor();
    expect(await shownText(page, "TypeScript")).toContain('{ notify: "touched", payload: {"id":"7"} }');
    await judge(page, "a batch");
    await page.getByRole("button", { name: "Remove call 1, touched" }).click();
    await page.getByRole("button", { name: "Remove call 1, open" }).waitFor();
    await page.route("**/rpc", (route) =>
      route.continue({ headers: { ...route.request().headers(), "mock-error": "GONE" } }),
    );
    await go("session");
    await send();
    await page.getByText("It has been removed. Read the list again.").waitFor();
    await page.unroute("**/rpc");
    await go("certified");
    await send();
    await page.getByText("It asks for proxied, and there are no credentials for it.").waitFor();
    await approve("try-standard", shown);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("the operator's console", () => {
  test("asks for at most ten things until an operator sees the overview", async () => {
    const { page } = await openPage(browser);
    const asked = new Set<string>();
    page.on("request", (request) =>
      asked.add(`${request.method()} ${request.url()} ${request.postData() ?? ""}`),
    );
    await signInTo(page, server.access.operatorUrl, accessFile);
    await page.locator(".facts div", { hasText: "Open connections" }).waitFor();
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    expect(asked.size, [...asked].join("\n")).toBeLessThanOrEqual(10);
    await page.close();
  });

  test("shows each of its pages, and changes what there is", async () => {
    const { page, complaints } = await openPage(browser);
    const shown = new Map<string, string>();
    const look = async (name: string, path?: string, region = "main"): Promise<void> => {
      if (path !== undefined) await show(page, path);
      shown.set(name, await shownOn(page, region));
      await judge(page, name);
    };
    const change = async (label: string, fields: Readonly<Record<string, string>> = {}, confirm?: string) => {
      const opened = await openDialog(page, label);
      shown.set(label, await shownOn(page, "dialog"));
      return await complete(opened, fields, confirm);
    };
    const { accountNumber, referenceId, businessCustomerId } = server.access.samples;
    const { subscriptions } = await asOperator().listSubscriptions({});
    // Without it the console would be looked at for as long as a test may take.
    expect(
      subscriptions.map(({ name }) => name),
      "the partner's test goes first",
    ).toContain("Treasury");
    await page.goto(`${server.access.operatorUrl}/console/`);
    await look("sign in");
    await page.setInputFiles("input[type=file]", accessFile);
    await expect.poll(() => page.getByLabel("User name").inputValue()).toBe("operator");
    await page.getByLabel("API key").fill("another-one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The service does not know this user name with this API key here.").waitFor();
    writeFileSync(reportFile, "<!doctype html><title>A report</title>");
    await page.reload();
    await signInTo(page, server.access.operatorUrl, accessFile);
    for (const fact of ["Open connections", "Mean time of a request", "Deliveries to be sent"])
      await page.locator(".facts div", { hasText: fact }).locator("dd", { hasText: /\d/ }).waitFor();
    await judge(page, "overview");
    // What the service measures is different each time.
    const overview = await shownOn(page, "body");
    shown.set("overview", overview.replace(/(heading "Service" .*\n)[^]*?(?=.*heading "Subscr)/, "$1"));

    await look("customers", "customers");
    await page.getByRole("button", { name: "Create a customer …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator('[name="type"]').selectOption("BUSINESS");
    await dialog.locator("button[type=submit]").click();
    await dialog.getByText("is needed").first().waitFor();
    await look("a wrong form", undefined, "dialog");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const harbor = `<b>Harbor & "Sons"</b>`;
    expect(await change("Create a customer", { type: "BUSINESS", businessNameLegal: harbor })).toMatch(
      /was created/,
    );
    await page.getByRole("link", { name: harbor, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: harbor }).waitFor();
    const rep = { name: "Ada Boateng", email: "ada@harbor.example" };
    expect(await change("Add a representative", rep)).toMatch(/was added/);
    await page.getByRole("cell", { name: rep.email }).waitFor();
    await show(page, "customers");
    await page.getByRole("link", { name: "Northwind Traders LLC" }).click();
    await page.getByRole("link", { name: "Tomas Berg" }).waitFor();
    await look("a customer");
    await page.getByRole("link", { name: "Tomas Berg" }).click();
    await page.getByRole("heading", { level: 1, name: "Tomas Berg" }).waitFor();
    await look("a shareholder");
    await look("categories and sources", "catalog");
    expect(await change("Define a category", { name: "Reserve" })).toBe("The category Reserve is defined.");

    await look("users", "users");
    const issued = await change("Issue a credential", { userName: "acme", email: "it@acme.example" });
    expect(issued).toMatch(/The API key of 091311229\.acme is shown once/);
    await show(page, "users");
    const guest = { userName: "acme-books", email: "books@acme.example" };
    expect(await change("Invite a partner", guest)).toMatch(
      /^The link for 091311229\.acme-books is shown once.*\/partner\/#\/invitation\//s,
    );
    await show(page, "users/091311229.acme-books");
    expect(await change("Send another invitation")).toMatch(/is shown once/);
    await show(page, "users/091311229.acme");
    const pem: unknown = await page.evaluate(
      "import('/console/web/shared/key.ts').then(({ generateKey }) => generateKey()).then(({ publicPem }) => publicPem)",
    );
    expect(await change("Register a key", { PublicKey: String(pem) })).toMatch(/The key is registered/);
    await show(page, "users/demo");
    await look("a user", "users/091311229.acme");
    const keyId = await page.getByRole("group", { name: "Signing keys" }).locator("code").first().innerText();
    expect(await change("Revoke the key", {}, "another word")).toBe(`Type ${keyId} first.`);
    expect(await change("Revoke the key", {}, keyId)).toBe("The key is revoked.");
    await page.getByText("REVOKED").first().waitFor();

    await look("accounts", "accounts");
    await look("an account", `accounts/${accountNumber}`);
    await page.getByRole("link", { name: "Maya Okafor" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Beneficiary" }).waitFor();
    await look("a beneficiary");
    await show(page, `accounts/${accountNumber}`);
    const chart = page.getByRole("slider", { name: "Ledger balance" });
    const latest = await chart.getAttribute("aria-valuetext");
    await chart.press("Home");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^USD\s0\.00, /);
    await chart.press("End");
    expect(await chart.getAttribute("aria-valuetext")).toBe(latest);
    await chart.hover({ position: { x: 80, y: 50 } });
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^USD\s0\.00, /);
    const status = await change("Change the status", { status: "SUSPENDED" });
    expect(status).toBe("The account is SUSPENDED now.");
    expect(await change("Change the status", { status: "ACTIVE" })).toBe("The account is ACTIVE now.");
    await show(page, "accounts");
    await page.getByLabel("Filter").fill("status = NOPE");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("filter is invalid or missing at column 10: status is one of CREATED").waitFor();

    await look("transactions", "transactions");
    await openDialog(page, "Record a transaction");
    await look("record a transaction", undefined, "dialog");
    const chosen = { type: "INTERNAL_TRANSFER", mode: "PG", Status: "PENDING", credit: "false" };
    for (const [field, value] of Object.entries(chosen))
      await dialog.locator(`[name="${field}"]`).first().selectOption(value);
    const texts = {
      ReferenceId: "console-1",
      CustomerId: businessCustomerId,
      Amount: "12.50",
      Currency: "USD",
    };
    for (const [field, value] of Object.entries(texts))
      await dialog.locator(`[name="${field}"]`).first().fill(value);
    for (const [group, account, institution] of [
      ["Debtor account", accountNumber, demoInstitutionId],
      ["Creditor account", "4402317756", "011000138"],
    ] as const) {
      const part = dialog.getByRole("group", { name: group, exact: true });
      await part.locator('[name="AccountNumber"]').fill(account);
      await part.locator('[name="InstitutionId"]').fill(institution);
    }
    await dialog.locator("button[type=submit]").click();
    await dialog.getByRole("link", { name: "console-1" }).click();
    await page.getByRole("heading", { name: "console-1" }).waitFor();
    const decided = await change("Decide the transaction", { Status: "COMPLETED" }, "console-1");
    expect(decided).toBe("The transaction is COMPLETED now.");
    await show(page, "transactions");
    await page.getByLabel("Status").selectOption("COMPLETED");
    await page.getByLabel("Type").selectOption("INTERNAL_TRANSFER");
    await page.getByLabel("From").fill("2026-01-01");
    await page.getByLabel("Customer").fill(businessCustomerId);
    await page.getByLabel("At least").fill("12");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/transactions\/search\//);
    const others = page.getByRole("table").getByRole("row").filter({ hasText: "CARDPAY" });
    await expect.poll(() => others.count()).toBe(0);
    await page.getByRole("link", { name: "console-1" }).waitFor();
    await look("a search");
    await page.getByLabel("Reference").fill(referenceId);
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("heading", { level: 2, name: referenceId }).waitFor();
    await look("a transaction");

    // The events of the account's changes are delivered before the page shows them.
    await allDelivered(page);
    await look("subscriptions", "subscriptions");
    await page.getByRole("link", { name: "Treasury" }).click();
    await page.getByRole("button", { name: "Send a test event …" }).waitFor();
    await look("a subscription");
    expect(await change("Send a test event")).toMatch(/^On its way: /);
    const address = page.url();
    await allDelivered(page);
    await page.goto(address);
    await page.getByRole("button", { name: "Show the secret …" }).waitFor();
    await change("Show the secret");
    await change("Rotate the secret");
    expect(await change("Deliver a time range again")).toMatch(/deliveries are on their way/);
    await allDelivered(page);
    await look("deliveries");
    await page.getByRole("row").nth(1).getByRole("link").first().click();
    await page.getByRole("heading", { name: "Attempts" }).waitFor();
    await look("a delivery");
    await change("Send it again");
    await allDelivered(page);
    await page.goto(address);
    expect(await change("Disable or change")).toBe("The subscription is changed.");
    await page.getByText("disabled by the operator").waitFor();
    expect(await change("Delete", {}, "Treasury")).toBe("The subscription is deleted.");
    await page.getByRole("heading", { level: 1, name: "Subscriptions" }).waitFor();

    await asOperator().startDeviceRegistration({ userName: "demo" });
    await show(page, "mails/in/SENT");
    const sent = page.getByRole("row", { name: / demo / }).getByRole("link", { name: "one-time-password" });
    await sent.waitFor();
    await look("mails");
    await sent.click();
    await page.getByRole("heading", { level: 1, name: "Mail", exact: true }).waitFor();
    await look("a mail");

    await show(page, "audit");
    await page.getByLabel("Kind").selectOption("customer");
    await page.getByLabel("Identifier").fill(businessCustomerId);
    await page.getByLabel("Identifier").press("Enter");
    await page.waitForURL(`**/#/audit/customer/${businessCustomerId}`);
    // The address changes before the page hears of it, and goes on showing all entries.
    await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(2);
    await look("audit of a customer");
    await show(page, "audit");
    await judge(page, "audit");
    await page.getByRole("button", { name: "Compute the root of all entries" }).click();
    expect(await page.locator(".copyable code").innerText()).toMatch(/^[0-9]+:[0-9a-f]{64}$/);
    const kept = await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]");
    // The name of what the browser keeps of the one who signed in, and no secret.
    expect(kept).toEqual([0, 1, ""]);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
    await show(page, "nothing");
    await page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
    await show(page, "overview");
    await page.getByRole("link", { name: "The last report" }).click();
    await page.waitForURL(/report\.html$/);
    await page.goBack();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("User name").waitFor();
    await page.reload();
    await page.getByLabel("User name").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await approve("console", shown);
    expect(complaints).toEqual([]);
    await page.close();
  });

  /** Shows the deliveries, and waits until none is on its way: the page reads them again by itself. */
  async function allDelivered(page: Page): Promise<void> {
    await show(page, "deliveries");
    const rows = page.getByRole("main").getByRole("row");
    await expect.poll(() => rows.filter({ hasText: /PENDING|WAITING/ }).count()).toBe(0);
  }
});
