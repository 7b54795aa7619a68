import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runConform, type ConformOptions } from "../../conformance/index.ts";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";
import { isSoak, seed } from "../seed.ts";

const suites = {
  operator: join(import.meta.dirname, "../../generated/operator/conformance"),
  partner: join(import.meta.dirname, "../../generated/partner/conformance"),
};
const folder = mkdtempSync(join(tmpdir(), "conform-operator-"));
const plain = { bold: same, dim: same, red: same, green: same, yellow: same };
let server: FaultyServer;

function same(text: string): string {
  return text;
}

beforeAll(async () => {
  server = await startFaultyServer(undefined, { LEDGER_PARTNER_INTERFACE: "on" });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Tries an interface with the access file of the demo data, and gives the exit code and the text. */
async function conformed(
  suite: keyof typeof suites,
  options: Partial<ConformOptions>,
  access: object = server.access,
) {
  writeFileSync(join(folder, "access.json"), JSON.stringify(access));
  const printed: string[] = [];
  const print = (text: string): number => printed.push(text);
  const code = await runConform(
    suites[suite],
    {
      access: join(folder, "access.json"),
      mail: server.mailFolder,
      level: "decisions",
      failures: 20,
      timeout: 10_000,
      eventTimeout: 5_000,
      concurrency: 16,
      errors: "ok",
      callbackPort: 0,
      explore: 0,
      seed: 1,
      ...options,
    },
    { print, note: print, progress: () => {}, isLive: false, color: plain },
  );
  return { code, text: printed.join("\n") };
}

/** One operation for each way in which an object under test comes about. */
const selection = [
  "RecordTransaction/payload/minimal",
  "RecordTransaction/example",
  "UpdateTransactionStatus/payload/Status",
  "SetAccountStatus/payload/status",
  "IssueCredential/payload/customerIds",
  "RevokeKey/payload/minimal",
  "UpdateSubscription/payload/enabled",
  "GetDelivery/payload/minimal",
  "GetSubscription/payload/minimal",
  "GetAccount/payload/minimal",
  "GetTransaction/payload/minimal",
  "ListDeliveries/payload/maximal",
  "ListCustomers/payload/maximal",
  "CreateCustomer/payload business/monthlyProjection.currency/absent",
  "ListUsers/payload/maximal",
  "RotateCredential/payload/minimal",
  "ListAudit/payload/maximal",
  "ListAudit/payload/subject/absent",
  "ListAudit/payload/subjectId/absent",
];

test("the operator of the access file tries the operator's interface, and a right service passes", async () => {
  const { code, text } = await conformed("operator", { operation: selection });
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/ 0 failed/) });
  expect(text).not.toMatch(/[1-9]\d* (?:failed|skipped)/);
});

test("random sequences decide a transaction once, and a right service passes", async () => {
  // A sequence of this seed sets the status of a transaction that was decided.
  const { text } = await conformed("operator", { operation: ["exploration/"], explore: 5, seed: 6 });
  expect(text).toMatch(/[1-9]\d* passed, 0 failed/);
});

test("without an operator in the access file nothing can be tried", async () => {
  const { operator: _operator, ...access } = server.access;
  expect(await conformed("operator", { operation: selection }, access)).toEqual({
    code: 2,
    text: expect.stringContaining("the access file has no operator and operatorUrl"),
  });
});

test.runIf(isSoak)("the whole suite of the operator's interface", async () => {
  const { code, text } = await conformed("operator", { explore: 10, seed });
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/ 0 failed/) });
});

test("the caller of the access file tries the partner interface, after preparing in the documented one", async () => {
  const { code, text } = await conformed("partner", {
    level: "strict",
    operation: ["GetDelivery/payload", "GetSubscription/payload", "RedeliverOne/payload", "ListKeys/payload"],
  });
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/ 0 failed/) });
  expect(text).not.toMatch(/[1-9]\d* (?:failed|skipped)/);
});

test.runIf(isSoak)("the whole suite of the partner interface", async () => {
  const { code, text } = await conformed("partner", { level: "strict", explore: 10, seed });
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/ 0 failed/) });
});
