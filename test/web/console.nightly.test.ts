import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlReport } from "../../conformance/report/html.ts";
import { sampleReport } from "../conformance/sample-report.ts";
import { contractClient, type ContractClient } from "../e2e/contract-client.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage, overflowOf, violationsOn } from "./browser.ts";
import { act, show, signInTo } from "./console-page.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-console-"));
const reportFile = join(dataDir, "report.html");
let server: RunningServer;
let browser: Browser;
let client: ContractClient;
let receiver: Receiver;

beforeAll(async () => {
  [server, browser, receiver] = await Promise.all([
    startServer(dataDir, { LEDGER_CONSOLE_REPORT: reportFile }),
    launchBrowser(),
    startReceiver(),
  ]);
  client = contractClient(server.access.baseUrl, server.access);
});
afterAll(async () => {
  client.close();
  await Promise.all([server.stop(), browser.close(), receiver.close()]);
  rmSync(dataDir, { recursive: true });
});

const urlOf = (path: string): string => `${server.access.operatorUrl}/console/#/${path}`;

const signIn = (page: Page) => signInTo(page, server.access.operatorUrl, join(dataDir, "access.json"));

describe("the operator's console", () => {
  test("needs a key that the service takes, and says why it does not", async () => {
    const { page } = await openPage(browser);
    await page.goto(urlOf(""));
    await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
    await page
      .getByLabel("Private key (PEM)")
      .fill("-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("openssl pkey -in old.pem -out new.pem").waitFor();
    for (const [label, value, reason] of [
      ["API key", "another-one", "The service does not know this user name with this API key here."],
      [
        "Private key (PEM)",
        server.access.privateKeyPem,
        "The private key is not the one of this key identifier.",
      ],
      ["Key identifier", server.access.keyId, "The service does not know this key identifier for this user."],
    ] as const) {
      await page.getByLabel("User name").fill("");
      await page.setInputFiles("input[type=file]", []);
      await page.setInputFiles("input[type=file]", join(dataDir, "access.json"));
      await expect.poll(() => page.getByLabel("User name").inputValue()).toBe("operator");
      await page.getByLabel(label).fill(value);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText(reason).waitFor();
    }
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Operator's console");
    await page.close();
  });

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)(
    "shows every page without a complaint, accessible, as wide as $viewport.width",
    async (options) => {
      // Axe is brought in from outside: the policy of the pages lets no script in.
      const { page, complaints } = await openPage(browser, { ...options, bypassCSP: true });
      await page.goto(urlOf(""));
      expect(await violationsOn(page), "sign in").toEqual([]);
      await signIn(page);
      const { accountNumber, referenceId } = server.access.samples;
      const paths = ["overview", "customers", "users", "users/demo", "accounts", `accounts/${accountNumber}`];
      paths.push("transactions", `transactions/${referenceId}`, "subscriptions", "deliveries", "audit");
      for (const path of paths) {
        await show(page, path);
        expect(await violationsOn(page), path).toEqual([]);
        expect(await overflowOf(page), `${path} is wider than the screen`).toBe(0);
      }
      await show(page, "customers");
      await page.getByRole("button", { name: "Create a customer …" }).click();
      await page.getByRole("dialog").locator('[name="type"]').selectOption("BUSINESS");
      expect(await violationsOn(page), "a form").toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test("shows the last conformance report, which is kept apart from the console", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page);
    await page.getByText("There is no report").waitFor();
    const { report } = await sampleReport();
    writeFileSync(reportFile, htmlReport(report));
    await page.reload();
    await page.getByRole("link", { name: "The last report" }).click();
    await page.waitForURL(/report\.html$/);
    await expect.poll(() => page.locator("#count").textContent()).toMatch(/^\d+ of \d+$/);
    expect(await page.evaluate("self.origin")).toBe("null");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("loads under its own policy, and keeps no secret that a script can read by name", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page);
    expect(complaints).toEqual([]);
    const kept: unknown = await page.evaluate(
      "[localStorage.length, sessionStorage.length, document.cookie]",
    );
    expect(kept).toEqual([0, 1, ""]);
    await page.close();
  });

  test("creates customers and their people; a wrong form is not sent", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page);
    await show(page, "customers");
    await page.getByRole("button", { name: "Create a customer …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator('[name="type"]').selectOption("BUSINESS");
    await dialog.locator("button[type=submit]").click();
    await dialog.getByText("is needed").first().waitFor();
    expect(await dialog.locator('[aria-invalid="true"]').first().getAttribute("name")).toBe(
      "businessNameLegal",
    );
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const name = `<b>Harbor & "Sons"</b>`;
    const fields = { type: "BUSINESS", businessNameLegal: name };
    expect(await act(page, "Create a customer", fields)).toMatch(/was created/);
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    const rep = { name: "Ada Boateng", email: "ada@harbor.example" };
    expect(await act(page, "Add a representative", rep)).toMatch(/was added/);
    expect(
      await act(page, "Add a shareholder", {
        name: "Ada Boateng",
        value: "123-45-6789",
        phoneNumber: "+12025550143",
        country: "US",
        addressLine1: "1 Harbor Way",
        city: "Boston",
        state: "MA",
        zip: "02110",
      }),
    ).toMatch(/was added/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("issues, rotates and revokes credentials and keys", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page);
    await show(page, "users");
    await page.getByRole("button", { name: "Issue a credential …" }).click();
    const remove = page
      .getByRole("group", { name: "scopes" })
      .getByRole("button", { name: "Remove the last" });
    expect(await remove.isVisible(), "there is nothing to remove").toBe(false);
    await page.getByRole("button", { name: "Add one to Scopes" }).click();
    await remove.click();
    expect(await page.locator(":focus").innerText()).toBe("Add one to Scopes");
    await page.getByRole("button", { name: "Cancel" }).click();
    const issued = await act(page, "Issue a credential", { userName: "acme", email: "it@acme.example" });
    expect(issued).toMatch(/The API key of 091311229\.acme is shown once/);
    await show(page, "users/091311229.acme");
    expect(await act(page, "Rotate the credential")).toMatch(/is shown once/);
    const pem: unknown = await page.evaluate(
      "import('/console/web/shared/key.ts').then(({ generateKey }) => generateKey()).then(({ publicPem }) => publicPem)",
    );
    expect(await act(page, "Register a key", { PublicKey: String(pem) })).toMatch(/The key is registered/);
    await show(page, "users/091311229.acme");
    const keyId = await page.getByRole("group", { name: "Signing keys" }).locator("code").first().innerText();
    expect(await act(page, "Revoke the key", {}, "another word")).toBe(`Type ${keyId} first.`);
    expect(await act(page, "Revoke the key", {}, keyId)).toBe("The key is revoked.");
    await page.getByText("REVOKED").first().waitFor();
    expect(await act(page, "Start a device's registration")).toMatch(/The token, until/);
    expect(await act(page, "Revoke the credential", {}, "091311229.acme")).toMatch(/^Revoked: /);
    await show(page, "audit");
    await page
      .getByText(/^expiresAt: — → /)
      .first()
      .waitFor();
    expect(await page.getByText(/expiresAt: — → \d{13}/).count(), "times are times").toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("changes accounts, records and decides transactions, and draws the balance", async () => {
    const { page, complaints } = await openPage(browser);
    const { accountNumber, businessCustomerId } = server.access.samples;
    await signIn(page);
    await show(page, `accounts/${accountNumber}`);
    await page.getByRole("slider", { name: "Ledger balance" }).waitFor();
    expect(await act(page, "Change the status", { status: "SUSPENDED" })).toBe(
      "The account is SUSPENDED now.",
    );
    expect(await act(page, "Change the status", { status: "ACTIVE" })).toBe("The account is ACTIVE now.");
    await show(page, "transactions");
    await page.getByRole("button", { name: "Record a transaction …" }).click();
    const dialog = page.getByRole("dialog");
    const debtor = dialog.getByRole("group", { name: "Debtor account", exact: true });
    const creditor = dialog.getByRole("group", { name: "Creditor account", exact: true });
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
    const institutionId = await institutionOf();
    await debtor.locator('[name="AccountNumber"]').fill(accountNumber);
    await debtor.locator('[name="InstitutionId"]').fill(institutionId);
    await creditor.locator('[name="AccountNumber"]').fill("4402317756");
    await creditor.locator('[name="InstitutionId"]').fill("011000138");
    await dialog.locator("button[type=submit]").click();
    await dialog.getByRole("link", { name: "console-1" }).click();
    await page.getByRole("heading", { name: "console-1" }).waitFor();
    const decided = await act(page, "Decide the transaction", { Status: "COMPLETED" }, "console-1");
    expect(decided).toBe("The transaction is COMPLETED now.");
    await show(page, `accounts/page/1/${encodeURIComponent('name = "nobody"')}`);
    await page.getByText("No account fits the filter.").waitFor();
    await show(page, `accounts/page/1/${encodeURIComponent("status = NOPE")}`);
    await page.getByText("filter is invalid or missing at column 10: status is one of CREATED").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  async function institutionOf(): Promise<string> {
    const { result } = await client.call("AccountService.GetAccount", {
      ID: server.access.samples.accountId,
    });
    return /"institutionID":"([^"]+)"/.exec(JSON.stringify(result))?.[1] ?? "";
  }

  test("watches deliveries, sends one again, and manages its subscription", async () => {
    const { page, complaints } = await openPage(browser);
    const answer = await client.flat({
      name: "Treasury",
      callbackUrl: receiver.url,
      events: ["Account.UPDATE"],
      groupId: [server.access.samples.accountNumber],
    });
    const subscriptionId = String(answer["subscriptionId"]);
    await signIn(page);
    await show(page, `subscriptions/${subscriptionId}`);
    expect(await act(page, "Send a test event")).toMatch(/^On its way: /);
    await receiver.until(1);
    await show(page, `deliveries/of/${subscriptionId}`);
    // The list is read again by itself: what is delivered appears.
    await page.getByText("DELIVERED").first().waitFor();
    await page.getByRole("row").nth(1).getByRole("link").first().click();
    await page.getByRole("heading", { name: "Attempts" }).waitFor();
    await act(page, "Send it again");
    await receiver.until(2);
    await show(page, `subscriptions/${subscriptionId}`);
    await act(page, "Show the secret");
    await act(page, "Rotate the secret");
    expect(await act(page, "Deliver a time range again")).toMatch(/deliveries are on their way/);
    expect(await act(page, "Disable or change")).toBe("The subscription is changed.");
    await page.getByText("disabled by the operator").waitFor();
    expect(await act(page, "Delete", {}, "Treasury")).toBe("The subscription is deleted.");
    await page.getByRole("heading", { level: 1, name: "Subscriptions" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("computes the root of the audit entries that verify computes", async () => {
    const { page } = await openPage(browser);
    await signIn(page);
    await show(page, "audit");
    await page.getByRole("button", { name: "Compute the root of all entries" }).click();
    const root = await page.locator(".copyable code").innerText();
    expect(root).toMatch(/^[0-9]+:[0-9a-f]{64}$/);
    const verify = (kept: string) =>
      spawnSync(process.execPath, ["ledger/cli/main.ts", "verify", "--root", kept], {
        env: { ...process.env, LEDGER_DATA_DIR: dataDir },
        encoding: "utf8",
      });
    const sound = verify(root);
    expect([sound.status, sound.stdout]).toEqual([0, expect.any(String)]);
    const [count = "", hash = ""] = root.split(":");
    expect(verify(`${count}:${hash.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}`).status).not.toBe(
      0,
    );
    await page.close();
  });
});
