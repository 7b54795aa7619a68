import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { application as bank } from "../../ledger/application.ts";
import { inItsWords, loadConfig, serviceNames, settingsOf } from "../../runtime/operations/config/index.ts";
import { createMetrics } from "../../runtime/operations/http/index.ts";

const folder = mkdtempSync(join(tmpdir(), "names-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The bank's interfaces under another name: settings take theirs from it. */
const payments = { ...bank, name: "card-payments", settings: [] };

test("settings of an application begin with its name, and no text of theirs has another's", () => {
  const settings = settingsOf(payments);
  const named = settings.find(({ path }) => path === "log.level");
  expect(named?.env).toBe("CARD_PAYMENTS_LOG_LEVEL");
  const own = settings.filter(({ path }) => !/^(?:ledger|operator)\./.test(path));
  expect(JSON.stringify(own).match(/LEDGER_\w+|ledger-server|ledger\.sqlite/g)).toBeNull();
});

test("an application reads its own variables alone, and keeps its own file", () => {
  const env = { CARD_PAYMENTS_DATA_DIR: folder, LEDGER_LOG_LEVEL: "no such level", LEDGER_NOTHING: "1" };
  expect(loadConfig(payments, env).database.url).toBe(`sqlite:${join(folder, "card-payments.sqlite")}`);
  expect(() => loadConfig(payments, { ...env, CARD_PAYMENTS_NOTHING: "1" })).toThrow(
    expect.objectContaining({
      mistakes: [expect.objectContaining({ where: "CARD_PAYMENTS_NOTHING" })],
    }),
  );
});

test("what the engine says names the application's command, variables and file", () => {
  const said = "ledger.sqlite lacks migration 3: set LEDGER_DATABASE_URL, or run `ledger-server migrate`";
  expect(inItsWords(said, serviceNames(payments))).toBe(
    "card-payments.sqlite lacks migration 3: set CARD_PAYMENTS_DATABASE_URL, or run `card-payments-server migrate`",
  );
  expect(inItsWords(said, serviceNames(bank))).toBe(said);
});

test("metrics begin with the application's name", async () => {
  const text = await createMetrics(serviceNames(payments).metrics).text();
  expect(text).toMatch(/^# HELP card_payments_rpc_requests_total /m);
  expect(text).not.toContain("ledger_rpc_");
});
