import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { contractClient, type ContractClient } from "../e2e/contract-client.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage } from "./browser.ts";
import { act, show, signInTo } from "./console-page.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-console-lists-"));
let server: RunningServer;
let browser: Browser;
let client: ContractClient;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(dataDir), launchBrowser()]);
  client = contractClient(server.access.baseUrl, server.access);
});
afterAll(async () => {
  client.close();
  await Promise.all([server.stop(), browser.close()]);
  rmSync(dataDir, { recursive: true });
});

const signIn = (page: Page) => signInTo(page, server.access.operatorUrl, join(dataDir, "access.json"));

describe("the lists of the operator's console", () => {
  test("shows the newest of many transactions, and a chart that ends at the present balance", async () => {
    const { page, complaints } = await openPage(browser);
    const { operator, operatorUrl: baseUrl, samples } = server.access;
    const signer = { keyId: operator.keyId, privateKey: operator.privateKeyPem };
    const operatorClient = new OperatorClient({ baseUrl, credential: operator, signer });
    const institutionId = await institutionOf();
    const deposit = (index: number) =>
      operatorClient.recordTransaction({
        type: "RTP_IN",
        mode: "PG",
        Status: "COMPLETED",
        ReferenceId: `many-${index}`,
        CustomerId: samples.businessCustomerId,
        TimeStamp: new Date(Date.UTC(2027, 0, 1, 0, index)).toISOString(),
        credit: true,
        InstructedAmount: { Amount: 1, Currency: "USD" },
        DebtorAccount: { AccountNumber: "4402317756", InstitutionId: "011000138" },
        CreditorAccount: { AccountNumber: samples.accountNumber, InstitutionId: institutionId },
      });
    // More than the page shows.
    for (let index = 0; index < 420; index += 1) await deposit(index);
    await signIn(page);
    await show(page, `accounts/${samples.accountNumber}`);
    await page.getByText(/^The newest 3\d\d\.$/).waitFor();
    const rows = page.getByRole("group", { name: "Transactions, the newest first" }).locator("tbody tr");
    expect(await rows.first().innerText()).toContain("many-419");
    await page.getByRole("slider", { name: "Ledger balance" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("counts what is to be sent, and leaves the focus where it is when it reads again", async () => {
    const { page, complaints } = await openPage(browser);
    const { accountNumber } = server.access.samples;
    // Nothing listens at this port of the machine.
    const callbackUrl = "http://127.0.0.1:9/nothing";
    const events = ["Account.UPDATE"];
    const { subscriptionId } = await client.flat({
      name: "Deaf",
      callbackUrl,
      events,
      groupId: [accountNumber],
    });
    const change = (status: string) =>
      client.call("AccountService.UpdateAccountStatus", { accountNumber, status });
    await change("SUSPENDED");
    await signIn(page);
    const toBeSent = page.locator(".facts div", { hasText: "Deliveries to be sent" }).locator("dd");
    await expect.poll(() => toBeSent.innerText()).toBe("1");
    await show(page, `deliveries/of/${String(subscriptionId)}`);
    const link = page.getByRole("link", { name: "Account.UPDATE" });
    await link.focus();
    const focused = await link.getAttribute("href");
    await change("ACTIVE");
    await expect.poll(() => link.count()).toBe(2);
    expect(await page.locator(":focus").getAttribute("href")).toBe(focused);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("takes the dates of a search in the reader's time zone, and names the zone", async () => {
    const { page, complaints } = await openPage(browser, { timezoneId: "Europe/Berlin" });
    await signIn(page);
    await show(page, "transactions");
    await page.getByLabel("From Europe/Berlin", { exact: true }).fill("2026-01-02");
    await page.getByLabel("To Europe/Berlin", { exact: true }).fill("2026-01-02");
    const searched = page.waitForRequest((request) => /\bfrom\b/.test(request.postData() ?? ""));
    await page.getByRole("button", { name: "Search" }).click();
    const sent = (await searched).postData();
    expect(sent).toContain("2026-01-01T23:00:00.000Z");
    expect(sent).toContain("2026-01-02T23:00:00.000Z");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("finds a disabled subscription behind a hundred others", async () => {
    const { page, complaints } = await openPage(browser);
    const { operator, operatorUrl: baseUrl, samples } = server.access;
    const signer = { keyId: operator.keyId, privateKey: operator.privateKeyPem };
    const operatorClient = new OperatorClient({ baseUrl, credential: operator, signer });
    const callbackUrl = "http://127.0.0.1:9/nothing";
    const subscribe = (name: string) =>
      client.flat({ name, callbackUrl, events: ["Account.NEW"], groupId: [samples.accountNumber] });
    for (let index = 0; index < 101; index += 1) await subscribe(`Number ${index}`);
    const { subscriptionId } = await subscribe("The last");
    await operatorClient.updateSubscription({ subscriptionId: String(subscriptionId), enabled: false });
    await signIn(page);
    await page.getByRole("link", { name: "The last" }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("gives the focus back when a dialog is closed, and goes on in the page when it was done", async () => {
    const { page, complaints } = await openPage(browser);
    await signIn(page);
    await show(page, `accounts/${server.access.samples.accountNumber}`);
    const button = page.getByRole("button", { name: "Change the status …" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.locator(":focus").innerText()).toBe("Change the status …");
    await act(page, "Change the status", { status: "ACTIVE" });
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    expect(complaints).toEqual([]);
    await page.close();
  });

  async function institutionOf(): Promise<string> {
    const { result } = await client.call("AccountService.GetAccount", {
      ID: server.access.samples.accountId,
    });
    return /"institutionID":"([^"]+)"/.exec(JSON.stringify(result))?.[1] ?? "";
  }
});
