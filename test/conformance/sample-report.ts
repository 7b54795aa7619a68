import { join } from "node:path";
import { loadSuite, type RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { startIndependentBank } from "./independent-bank.ts";

/** A real run with failures of several kinds, skips, and texts that mean something in HTML and XML; and its API key. */
export async function sampleReport(): Promise<{ readonly report: RunReport; readonly apiKey: string }> {
  const bank = await startIndependentBank();
  const { apiKey } = bank.access;
  let report: RunReport;
  try {
    const { baseUrl, ...access } = bank.access;
    const loaded = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));
    report = await conform({
      ...loaded,
      access,
      baseUrl,
      seed: 1,
      level: "document",
      only: ["AccountService.GetAccount", "AccountService.GetBeneficiary", "AccountService.ListAccounts"],
      explore: { runs: 0 },
    });
  } finally {
    await bank.stop();
  }
  const hostile = '</script><img src=x onerror="window.pwned = 1">]]>&\u0001\ud800';
  const finding = { check: "value", level: "document", expected: hostile, found: hostile } as const;
  const exchange = {
    curl: `curl -s 'http://service.example' \\\n  --data-binary '${hostile}'`,
    answer: hostile,
  };
  const broken = { status: "failed", findings: [finding], exchanges: [exchange], title: hostile } as const;
  const told = {
    ...report,
    outcomes: report.outcomes.map((each) =>
      each.id.startsWith("AccountService.GetAccount/authentication/credential")
        ? { ...each, ...broken }
        : each,
    ),
  };
  return { report: told, apiKey };
}
