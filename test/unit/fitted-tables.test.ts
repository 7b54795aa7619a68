import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { fittedWidths, widthOf, resultText } from "../../ledger/cli/operate/output.ts";

const accounts = [
  {
    number: "4402317756",
    name: "Payroll of all the branches of the north",
    customer: "Northwind Traders LLC",
  },
  { number: "4402317757", name: "口座口座口座口座口座口座口座口座", customer: "Jonas\nLindqvist" },
];

function shown(width?: number): string {
  return stripVTControlCharacters(resultText({ accounts }, undefined, width));
}

test.each([30, 40, 60, 70])("a table fits a terminal of %i columns", (width) => {
  const lines = shown(width).split("\n");
  for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(width);
  expect(lines[1]).toMatch(/^4402317756 .*…/);
});

test("without a terminal, and where there is room, nothing is cut", () => {
  expect(shown()).not.toContain("…");
  expect(shown(200)).toBe(shown());
});

test("the longest columns are cut first, the first column last", () => {
  expect(fittedWidths([26, 4, 40, 30], 80)).toEqual([26, 4, 25, 25]);
  expect(fittedWidths([26, 4, 40], 100)).toEqual([26, 4, 40]);
  expect(fittedWidths([26, 30, 30], 30)).toEqual([10, 10, 10]);
  expect(fittedWidths([50], 20)).toEqual([20]);
  expect(fittedWidths([9, 9, 9], 1)).toEqual([1, 1, 1]);
});

test("lines of name and value stay whole", () => {
  expect(resultText({ callbackUrl: "https://receiver.example/".repeat(9) }, undefined, 40)).not.toContain(
    "…",
  );
});

test("times keep their zone, lose their fraction, and are not cut where others can be", () => {
  const entries = [
    {
      sequence: 7,
      changedDate: "2026-11-23T08:45:06.103Z",
      operation: "UpdateTransactionStatus",
      subject: "01M83S8XNZWKQWHSYFGRM5QNZ2",
    },
    {
      sequence: 8,
      changedDate: "2026-03-02T11:15:27.000-05:00",
      operation: "RevokeCredential",
      subject: "user",
    },
  ];
  for (const width of [undefined, 60]) {
    const text = stripVTControlCharacters(resultText({ entries }, undefined, width));
    expect(text).toContain("2026-11-23T08:45:06Z ");
    expect(text).toContain("2026-03-02T11:15:27-05:00 ");
  }
  expect(fittedWidths([8, 20, 24, 26], 60, new Set([1]))).toEqual([8, 20, 16, 16]);
  expect(fittedWidths([8, 20, 24, 26], 36, new Set([1]))).toEqual([8, 9, 9, 9]);
});

test("an amount of money is one cell", () => {
  const transactions = [{ ReferenceId: "A-1", InstructedAmount: { Amount: 980.4, Currency: "USD" } }];
  const columns = ["ReferenceId", "InstructedAmount"];
  expect(resultText({ transactions }, columns)).toMatch(/A-1 +980\.4 USD$/);
});

test("amounts meet at the decimal point, whatever their digits", () => {
  const rows = [
    { id: "a", balance: 15230.25, Amount: { Amount: 1.5, Currency: "USD" }, sequence: 7 },
    { id: "b", balance: -3, Amount: { Amount: 1200, Currency: "JPY" }, sequence: 12 },
    { id: "c", balance: 980.4, Amount: { Amount: 0.125, Currency: "USD" }, sequence: 100 },
  ];
  const columns = ["id", "balance", "Amount", "sequence"];
  const lines = stripVTControlCharacters(resultText({ rows }, columns)).split("\n");
  expect(lines.slice(1)).toEqual([
    "a   15230.25     1.5   USD  7",
    "b      -3     1200     JPY  12",
    "c     980.4      0.125 USD  100",
  ]);
});

test("numbers without a fraction, and words beside numbers, stay as they are", () => {
  const rows = [
    { number: "100200", value: "1.5" },
    { number: "7", value: "none" },
  ];
  expect(stripVTControlCharacters(resultText({ rows })).split("\n").slice(1)).toEqual([
    "100200  1.5",
    "7       none",
  ]);
});
