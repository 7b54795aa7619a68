import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { run } from "../../ledger/cli/program.ts";
import { operatorAccess } from "../../ledger/cli/operate/access.ts";

const folder = mkdtempSync(join(tmpdir(), "operate-request-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The message of `transactions record` about a file that it refuses before the call. */
async function recorded(yaml: string): Promise<{ readonly code: unknown; readonly said: string }> {
  const file = join(folder, "payment.yaml");
  writeFileSync(file, yaml);
  const said: string[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((text) => void said.push(String(text)));
  const former = process.exitCode;
  process.exitCode = undefined;
  try {
    await run([
      "node",
      "ledger-server",
      "transactions",
      "record",
      "--input",
      file,
      "--url",
      "http://[::1]:1",
    ]);
    return { code: process.exitCode, said: said.join("\n") };
  } finally {
    process.exitCode = former;
    error.mockRestore();
  }
}

test.for<[string, string, string]>([
  [
    "a comma in an amount, which YAML takes for the end of it",
    "InstructedAmount: { Amount: 1,000, Currency: USD }",
    "InstructedAmount.0 is no field of RecordTransaction: there is Amount, Currency",
  ],
  [
    "a misspelt list",
    "Fee: [{ Amount: 1, Currency: USD }]",
    "Fee is no field of RecordTransaction: did you mean Fees?",
  ],
  [
    "a misspelt member of an item",
    "Fees: [{ Amout: 1, Currency: USD }]",
    "Fees.0.Amout is no field of RecordTransaction: did you mean Amount?",
  ],
  ["hexadecimal digits", "InstructedAmount: { Amount: 0x10 }", "0x10 is no number: write it in decimals"],
  [
    "more digits than are kept",
    "InstructedAmount: { Amount: 12345678901234567.89 }",
    "12345678901234567.89 has more than 15 digits",
  ],
  ["two fields of one name", "Fees: []\nFees: []", "Map keys must be unique"],
])("a file with %s is refused by name, and nothing is called", async ([, yaml, hint]) => {
  expect(await recorded(yaml)).toEqual({ code: 2, said: expect.stringContaining(hint) });
});

test("fields are found whatever their case, as the service finds them", async () => {
  const { said } = await recorded("instructedamount: { amount: 1.50, currency: USD }");
  expect(said).toContain("ledger-server transactions record needs");
});

test("an API key of digits alone stays the text that it is", () => {
  const file = join(folder, "operator.yaml");
  const apiKey = "00112233445566778899001122334455";
  writeFileSync(join(folder, "operator.pem"), "-----BEGIN PRIVATE KEY-----");
  writeFileSync(
    file,
    `userName: operator\napiKey: ${apiKey}\nkeyId: 01\nurl: http://[::1]:1\nprivateKeyFile: operator.pem\n`,
  );
  expect(operatorAccess({ access: file }, {})).toMatchObject({ apiKey, keyId: "01" });
});
