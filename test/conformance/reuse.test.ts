import { join } from "node:path";
import { expect, test } from "vitest";
import { allOutcomes, conform, loadSuite } from "../../conformance/index.ts";
import { startIndependentBank } from "./independent-bank.ts";

const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));

/** Tries parts of the suite and counts the accounts that are opened meanwhile. */
async function accountsOf(only: readonly string[], runs = 1) {
  const bank = await startIndependentBank("object");
  const { baseUrl, ...access } = bank.access;
  const numbers = new Set<string>();
  const passed: string[] = [];
  try {
    for (let seed = 1; seed <= runs; seed += 1) {
      const report = await conform({
        ...loaded,
        access,
        baseUrl,
        only,
        seed,
        explore: { runs: 0 },
        concurrency: 1,
        level: "document",
        onExchange({ body }, answer) {
          const isOpening = body.includes('"CustomerService.AddAccount"');
          const opened =
            isOpening && "body" in answer && /"accountNumber":\s*"([^"]+)"/.exec(String(answer.body));
          if (opened) numbers.add(opened[1] ?? "");
        },
      });
      passed.push(...allOutcomes(report).flatMap(({ id, status }) => (status === "passed" ? [id] : [])));
    }
    return { accounts: numbers.size, passed };
  } finally {
    await bank.stop();
  }
}

test("what is opened for cases that only refer to an account, they share", async () => {
  const opening = new Set(loaded.cases.flatMap(({ id, expect: { kind } }) => (kind === "error" ? [] : [id])));
  const { accounts, passed } = await accountsOf(["CustomerService.AddAccount/"]);
  const own = passed.filter((id) => opening.has(id)).length;
  expect(own).toBeGreaterThan(15);
  expect(accounts).toBeLessThanOrEqual(own + 1);
});

test("an account that a case has put back serves the next case", async () => {
  const { accounts, passed } = await accountsOf(["AccountService.UpdateAccountStatus"]);
  expect(passed.length).toBeGreaterThan(10);
  expect(accounts).toBe(1);
});

test("a later run lists the accounts that an earlier one has opened", async () => {
  const { accounts } = await accountsOf(["scenario/pages-of-the-document"], 3);
  // The bank has one of its own, and six are listed.
  expect(accounts).toBe(5);
});
