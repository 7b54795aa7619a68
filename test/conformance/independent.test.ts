import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conform, loadSuite, type RunReport } from "../../generator/conformance/index.ts";
import { startIndependentBank, type IndependentBank } from "./independent-bank.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
let bank: IndependentBank;
let report: RunReport;

beforeAll(async () => {
  bank = await startIndependentBank();
  const { baseUrl, ...access } = bank.access;
  report = await conform({ ...loaded, access, baseUrl, level: "document", seed: 1 });
});
afterAll(() => bank.stop());

const offered = new Set([
  "AccountService.GetAccount",
  "AccountService.ListAccounts",
  "AccountService.UpdateAccountStatus",
  "CustomerService.AddAccount",
  "CustomerService.UpdateLegalRepStatus",
  "TransactionService.GetTransactionsByRef",
]);
const failures = () => report.outcomes.filter(({ status }) => status === "failed" || status === "broken");

test("nothing is held against a service that keeps the document in its own way", () => {
  const wrong = failures().filter(({ id }) => !id.endsWith("/present"));
  expect(wrong.map(({ id, findings }) => `${id}: ${findings[0]?.expected}; ${findings[0]?.found}`)).toEqual(
    [],
  );
  for (const method of offered) {
    const passed = report.outcomes.filter((each) => each.method === method && each.status === "passed");
    expect(passed.length, method).toBeGreaterThan(15);
  }
});

test("an operation that is not offered is told once, and its cases are counted", () => {
  const absent = loaded.suite.methods.map(({ name }) => name).filter((name) => !offered.has(name));
  expect(failures().map(({ id }) => id)).toEqual(absent.map((name) => `${name}/present`));
  for (const name of absent) {
    const own = report.outcomes.filter(({ id, method }) => method === name && !id.endsWith("/present"));
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
      new Set([`skipped: the service does not have ${name}`]),
    );
  }
});
