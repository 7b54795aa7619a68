import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ledgerServerBeside } from "../e2e/ledger-server-beside.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { launchBrowser, openPage, violationsOn } from "./browser.ts";
import { act, show, signInTo } from "./console-page.ts";

/** Two operators: one in a browser, one on a command line. */
const folder = mkdtempSync(join(tmpdir(), "ledger-approvals-"));
const accessFile = join(folder, "second.yaml");
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer(folder, { LEDGER_APPROVALS_CREDENTIALS: "true" }),
    launchBrowser(),
  ]);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicFile = join(folder, "second.pub");
  writeFileSync(publicFile, publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "second.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  const named = ["--institution", "091311229", "--user", "second", "--email", "second@bank.example"];
  const added = await run("operator", "add", ...named, "--public-key", publicFile);
  expect(added).toMatchObject({ code: 0 });
  writeFileSync(accessFile, `${added.out}url: ${server.access.operatorUrl}\nprivateKeyFile: second.pem\n`);
});
afterAll(async () => {
  await Promise.all([server.stop(), browser.close()]);
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]) => ledgerServerBeside(args, folder);
/** A command of the second operator. */
const second = (...args: readonly string[]) => run(...args, "--access", accessFile);

test("what one operator proposes the other one approves, in the console and on the command line", async () => {
  const { page, complaints } = await openPage(browser);
  await signInTo(page, server.access.operatorUrl, join(folder, "access.json"));
  await show(page, "users");
  const said = await act(page, "Issue a credential", { userName: "acme", email: "it@acme.example" });
  expect(said).toMatch(/^Another operator has to approve this\. It is proposed until .*: the proposal$/);
  await show(page, "approvals");
  await page.getByRole("link", { name: "IssueCredential" }).click();
  await page.getByText("Another operator has to approve it: you proposed it.").waitFor();
  expect(await page.getByRole("button", { name: "Approve …" }).count()).toBe(0);
  expect(await violationsOn(page), "a proposal of one's own").toEqual([]);

  const [, proposalId = ""] = /approvals\/(\w+)/.exec(page.url()) ?? [];
  const shown = JSON.parse((await second("proposals", "show", proposalId, "--json")).out);
  expect(shown.proposal).toMatchObject({ state: "OPEN", proposedBy: "operator" });
  const { digest } = shown.proposal;
  const approved = await second("proposals", "approve", proposalId, "--digest", digest, "--json");
  expect(JSON.parse(JSON.parse(approved.out).result)).toMatchObject({ userName: "091311229.acme" });
  await show(page, "users/091311229.acme");
  await page.getByRole("group", { name: "API keys" }).waitFor();

  const tablet = ["credentials", "issue", "tablet", "--email", "it@acme.example"];
  const refused = await second(...tablet);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("with --propose") });
  expect(await second(...tablet, "--propose", "--note", "By telephone")).toMatchObject({ code: 0 });
  await show(page, "approvals");
  await page
    .getByRole("row", { name: /second By telephone OPEN/ })
    .getByRole("link")
    .click();
  await page.getByText("With exactly this").waitFor();
  await page.getByText("it@acme.example").waitFor();
  expect(await violationsOn(page), "a proposal of another operator").toEqual([]);
  expect(await act(page, "Approve")).toMatch(/^It is done\.[^]*API key [^]* shown once[^]*[0-9a-f]{32}/);
  await page.getByText("APPROVED").waitFor();
  await page.getByRole("link", { name: "Audit of this proposal" }).click();
  await page.getByText("ApproveProposal").waitFor();
  const rows = page.getByRole("table").locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await violationsOn(page), "the audit").toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});
