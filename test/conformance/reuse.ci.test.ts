import { join } from "node:path";
import { expect, test } from "vitest";
import { allOutcomes, loadSuite, type Level } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { preparingSteps } from "../../conformance/scenario/unused.ts";
import { startIndependentBank } from "./independent-bank.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));

/** Tries parts of the suite and counts the requests for accounts and the accounts that were opened. */
async function openingsOf(only: readonly string[], { level = "document" as Level, runs = 1 } = {}) {
  const bank = await startIndependentBank("object");
  const { baseUrl, ...access } = bank.access;
  const opened = new Set<string>();
  let requests = 0;
  let tried = 0;
  try {
    for (let seed = 1; seed <= runs; seed += 1) {
      const report = await conform({
        ...loaded,
        access,
        baseUrl,
        only,
        seed,
        level,
        explore: { runs: 0 },
        concurrency: 1,
        onExchange({ body }, answer) {
          if (!body.includes('"CustomerService.AddAccount"')) return;
          requests += 1;
          const number = "body" in answer ? /"accountNumber":\s*"([^"]+)"/.exec(String(answer.body)) : null;
          if (number !== null) opened.add(number[1] ?? "");
        },
      });
      tried += allOutcomes(report).filter(({ status }) => status === "passed" || status === "failed").length;
    }
    return { accounts: opened.size, requests, tried };
  } finally {
    await bank.stop();
  }
}

test("what cases only refer to is opened once for all of them", async () => {
  const only = ["CustomerService.AddAccount/payload"];
  const { requests, tried } = await openingsOf(only, { level: "decisions" });
  expect(tried).toBeGreaterThan(200);
  // One looks which operations there are, one opens the account.
  expect(requests).toBeLessThanOrEqual(tried + 2);
});

test("an account that a case has put back serves the next case", async () => {
  const { accounts, tried } = await openingsOf(["AccountService.UpdateAccountStatus"]);
  expect(tried).toBeGreaterThan(10);
  expect(accounts).toBe(1);
});

test("a scenario that only needs an account begins with one that a case has made", async () => {
  const cases = ["CustomerService.AddAccount/payload/consumer minimal"];
  const alone = await openingsOf(cases, { level: "decisions" });
  const both = await openingsOf([...cases, "scenario/present-status-again"], { level: "decisions" });
  expect(both.tried).toBe(alone.tried + 1);
  expect(both.accounts).toBe(alone.accounts);
});

test("steps that hold a service to something, or come later, call it", () => {
  const preparing = loaded.suite.scenarios.flatMap((scenario) =>
    [...preparingSteps(scenario)].map((step) => `${scenario.name} ${"as" in step ? step.as : ""}`),
  );
  expect(preparing).toContain("present-status-again added");
  expect(preparing).toContain("money-by-status account");
  expect(preparing).toContain("new-account-event pool");
  expect(preparing).not.toContain("changes-are-dated between");
  expect(
    preparing.filter((name) => /^(account-numbers-are-new|first-answer-is-kept|opened-once) /.test(name)),
  ).toEqual([]);
});

test("a later run lists the accounts that an earlier one has opened", async () => {
  const { accounts } = await openingsOf(["scenario/pages-of-the-document"], { runs: 3 });
  // The bank has one of its own, and six are listed; each run opens one more, which it looks for.
  expect(accounts).toBe(5 + 3);
});

test("what makes the access file's representative unusable for a while runs alone", () => {
  const alone = loaded.suite.scenarios.filter((scenario) => scenario.alone).map(({ name }) => name);
  expect(alone).toEqual(
    expect.arrayContaining(["customer-changes-are-dated", "legal-representative-status"]),
  );
});
