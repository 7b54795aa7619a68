import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSuite } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { startIndependentBank } from "./independent-bank.ts";
import { expectFairVerdicts } from "./independent-verdicts.ts";

test("a service with habits of its own is held to the document alone", () => expectFairVerdicts("object"));

test("errors of another shape are one failure, and cases fail by their codes alone", async () => {
  const bank = await startIndependentBank("object");
  const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
  const { baseUrl, ...access } = bank.access;
  try {
    const run = { ...loaded, access, baseUrl, seed: 1, only: ["AccountService.GetAccount"] } as const;
    const { outcomes } = await conform({
      ...run,
      level: "decisions",
      explore: { runs: 0 },
    });
    const failed = outcomes.filter(({ status }) => status === "failed");
    const about = (check: string) =>
      failed.filter(({ findings }) => findings.some((each) => each.check === check)).map(({ id }) => id);
    expect(about("error-shape")).toEqual(["(endpoint)/answers/error-shape"]);
    expect(about("status")).toEqual(["(endpoint)/answers/status"]);
    // It looks at the signature first, which was decided otherwise.
    expect(about("error-code")).toContain("AccountService.GetAccount/order/credential-before-signature");
    expect(about("error-code")).not.toContain("AccountService.GetAccount/example/Unknown-account");
  } finally {
    await bank.stop();
  }
});

test("a bank whose first page is 0 is not blamed for it: the document does not say which number it has", async () => {
  const bank = await startIndependentBank("object", { firstPage: 0 });
  const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
  const { baseUrl, ...access } = bank.access;
  try {
    const only = ["scenario/pages-of-the-document"];
    const { outcomes } = await conform({ ...loaded, access, baseUrl, only, level: "document" });
    expect(outcomes.map(({ id, status }) => [id, status])).toEqual([[only[0], "passed"]]);
  } finally {
    await bank.stop();
  }
});

test("an operator's interface that is not there is said, and the bank is not blamed for it", async () => {
  const bank = await startIndependentBank("object");
  const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
  const { baseUrl, ...caller } = bank.access;
  const access = { ...caller, operator: caller, operatorUrl: baseUrl };
  try {
    await expect(conform({ ...loaded, access, baseUrl, level: "document" })).rejects.toThrow(
      "it does not have CreateCustomer. Without operator in the access file, what needs one is skipped",
    );
  } finally {
    await bank.stop();
  }
});

test("where the operation is lacking by which the endpoint is tried, the endpoint is not blamed for it", async () => {
  const bank = await startIndependentBank("object");
  const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
  const suite = { ...loaded.suite, probe: "AccountService.GetBeneficiary" };
  const { baseUrl, ...access } = bank.access;
  try {
    const run = { ...loaded, suite, access, baseUrl, seed: 1, only: ["(endpoint)"] } as const;
    const { outcomes } = await conform({
      ...run,
      level: "document",
      explore: { runs: 0 },
    });
    const endpoint = outcomes.filter(({ method }) => method === "(endpoint)");
    expect(endpoint.filter(({ status }) => status === "failed")).toEqual([]);
    expect(endpoint.flatMap(({ reason }) => reason ?? [])).toContain(
      "the service does not have AccountService.GetBeneficiary",
    );
  } finally {
    await bank.stop();
  }
});
