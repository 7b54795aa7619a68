import { join } from "node:path";
import { expect } from "vitest";
import { loadSuite, type RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { startIndependentBank, type ErrorHabit } from "./independent-bank.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
const offered = new Set([
  "AccountService.GetAccount",
  "AccountService.ListAccounts",
  "AccountService.UpdateAccountStatus",
  "CustomerService.AddAccount",
  "CustomerService.UpdateLegalRepStatus",
  "KeyService.CompleteRegisterDevice",
  "TransactionService.GetTransactionsByRef",
]);

/** Tries the bank with as little as it gives its callers. */
async function tried(errors: ErrorHabit): Promise<RunReport> {
  const bank = await startIndependentBank(errors);
  try {
    const { baseUrl, ...access } = bank.access;
    return await conform({ ...loaded, access, baseUrl, level: "document", seed: 1 });
  } finally {
    await bank.stop();
  }
}

/** The bank is held to the document and to nothing else, and what it does not offer is told once. */
export async function expectFairVerdicts(errors: ErrorHabit): Promise<void> {
  const { outcomes } = await tried(errors);
  const failures = outcomes.filter(({ status }) => status === "failed" || status === "broken");
  const absent = loaded.suite.methods.map(({ name }) => name).filter((name) => !offered.has(name));
  expect(failures.map(({ id, findings }) => [id, findings[0]?.found])).toEqual(
    absent.map((name) => [`${name}/present`, `the service does not have ${name}`]),
  );
  for (const name of loaded.suite.methods.map((method) => method.name)) {
    const own = outcomes.filter(({ id, method }) => method === name && !id.endsWith("/present"));
    expect(own.length, name).toBeGreaterThan(5);
    const verdicts = own.map(({ status, reason }) => (reason === undefined ? status : reason));
    // A sequence over several operations is not tried where the bank lacks one of them, or its operator would have to help.
    const lacking = [
      ...absent.filter((each) => each !== name).map((each) => `the service does not have ${each}`),
      "needs operator access, which the access file does not give",
      "needs a registration, which only an operator can make",
    ];
    expect(
      [...new Set(verdicts)].filter((each) => !lacking.includes(each)),
      name,
    ).toEqual([offered.has(name) ? "passed" : `the service does not have ${name}`]);
  }
}
