import { describe, expect, it } from "vitest";
import { accountStatuses, accountTypes } from "../../ledger/domain/accounts.ts";
import { filterLimits, parseFilter } from "../../ledger/domain/filter/index.ts";
import type { AccountCondition } from "../../ledger/domain/lists.ts";
import { fc, runs } from "../seed.ts";
import { printFilter } from "./print-filter.ts";

function condition(text: string): AccountCondition | undefined {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`${parsed.fault.column}: ${parsed.fault.message}`);
  return parsed.value;
}

function fault(text: string) {
  const parsed = parseFilter(text);
  return parsed.ok ? undefined : parsed.fault;
}

const active: AccountCondition = { kind: "text", field: "status", op: "=", value: "ACTIVE" };
const blocked: AccountCondition = { kind: "text", field: "status", op: "=", value: "BLOCKED" };
const verified: AccountCondition = { kind: "flag", field: "isVerify", op: "=", value: true };

const orderOp = fc.constantFrom("=", "!=", "<", "<=", ">", ">=" as const);
const leaf: fc.Arbitrary<AccountCondition> = fc.oneof(
  fc.record({
    kind: fc.constant("text" as const),
    field: fc.constantFrom("id", "name", "number", "customerID", "accountCategory", "glAccount" as const),
    op: fc.constantFrom("=", "!=", "<", "<=", ">", ">=", "has", "prefix" as const),
    value: fc.string({ unit: "grapheme", maxLength: 8 }),
  }),
  fc.record({
    kind: fc.constant("text" as const),
    field: fc.constant("status" as const),
    op: fc.constantFrom("=", "!=" as const),
    value: fc.constantFrom(...accountStatuses),
  }),
  fc.record({
    kind: fc.constant("text" as const),
    field: fc.constant("accountType" as const),
    op: fc.constantFrom("=", "!=" as const),
    value: fc.constantFrom(...accountTypes),
  }),
  fc.record({
    kind: fc.constant("time" as const),
    field: fc.constantFrom("createdDate", "updatedDate" as const),
    op: orderOp,
    value: fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 0, 1) }),
  }),
  fc
    .record({
      kind: fc.constant("amount" as const),
      field: fc.constantFrom("balance", "holdBalance", "ledgerBalance", "preAuthBalance" as const),
      op: orderOp,
      digits: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
      scale: fc.nat(4),
    })
    .map((amount) => (amount.digits % 10n === 0n ? { ...amount, digits: amount.digits + 1n } : amount)),
  fc.record({
    kind: fc.constant("flag" as const),
    field: fc.constant("isVerify" as const),
    op: fc.constantFrom("=", "!=" as const),
    value: fc.boolean(),
  }),
);
const { tree } = fc.letrec<{ tree: AccountCondition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom("and", "or" as const),
      terms: fc.array(tie("tree"), { minLength: 2, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant("not" as const), term: tie("tree") }),
  ),
}));

function text(field: string, op: string, value: string) {
  return { kind: "text", field, op, value };
}

describe("a filter", () => {
  it("says what it was printed from", () => {
    fc.assert(
      fc.property(tree, (node) => {
        expect(condition(printFilter(node))).toEqual(node);
      }),
      { numRuns: runs(300) },
    );
  });

  it("never throws, whatever the text", () => {
    const word = fc.constantFrom(
      "(",
      ")",
      "AND",
      "OR",
      "NOT",
      "-",
      "name",
      "status",
      "=",
      ":",
      ">",
      '"',
      "\\",
      "*",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
        ),
        (text) => {
          const parsed = parseFilter(text);
          if (!parsed.ok) expect(parsed.fault.column).toBeGreaterThan(0);
        },
      ),
    );
  });

  it("binds OR tighter than AND", () => {
    expect(condition("isVerify=true AND status=ACTIVE OR status=BLOCKED")).toEqual({
      kind: "and",
      terms: [verified, { kind: "or", terms: [active, blocked] }],
    });
  });

  it("negates with NOT and with a minus, what follows only", () => {
    const expected = { kind: "or", terms: [{ kind: "not", term: active }, verified] };
    expect(condition("NOT status=ACTIVE OR isVerify=true")).toEqual(expected);
    expect(condition("-status=ACTIVE OR isVerify=true")).toEqual(expected);
  });

  it("empty or blank is no condition", () => {
    expect(condition("")).toBeUndefined();
    expect(condition("  \t")).toBeUndefined();
  });

  it("takes a text alone as part of the name or the number", () => {
    expect(condition("acme")).toEqual({
      kind: "or",
      terms: [text("name", "has", "acme"), text("number", "has", "acme")],
    });
    expect(condition('"Acme Corp*"')).toEqual({
      kind: "or",
      terms: [text("name", "prefix", "Acme Corp"), text("number", "prefix", "Acme Corp")],
    });
  });

  it("reads a trailing * as a prefix, an escaped one as itself", () => {
    expect(condition("name=Ac*")).toEqual(text("name", "prefix", "Ac"));
    expect(condition("name:Ac*")).toEqual(text("name", "prefix", "Ac"));
    expect(condition("name!=Ac*")).toEqual({ kind: "not", term: text("name", "prefix", "Ac") });
    expect(condition('name="Ac\\*"')).toEqual(text("name", "=", "Ac*"));
    expect(condition('name="Ac\\\\*"')).toEqual(text("name", "prefix", "Ac\\"));
  });

  it("reads escapes of a quoted text", () => {
    expect(condition('name = "a \\"b\\" \\\\c"')).toMatchObject({ value: 'a "b" \\c' });
  });

  it("finds fields ignoring case and gives them their documented name", () => {
    expect(condition("CUSTOMERID=1")).toMatchObject({ field: "customerID" });
  });

  it("takes times with an offset and days alone", () => {
    expect(condition("createdDate>=2026-01-31T12:00:00+03:00")).toMatchObject({
      value: Date.UTC(2026, 0, 31, 9),
    });
    expect(condition("createdDate<2026-01-31")).toMatchObject({ value: Date.UTC(2026, 0, 31) });
    expect(condition("createdDate:2026-01-31")).toMatchObject({ op: "=" });
  });

  it("compares amounts exactly", () => {
    expect(condition("balance > -12.50")).toMatchObject({ digits: -125n, scale: 1 });
    expect(condition("balance > 1e3")).toMatchObject({ digits: 1000n, scale: 0 });
    expect(condition("balance = 0.00")).toMatchObject({ digits: 0n, scale: 0 });
  });

  it.each([
    ["999999999999999", undefined],
    ["1000000000000001", 11],
    ["1e15", undefined],
    ["1e16", 11],
    ["1e-15", undefined],
    ["1e-16", 11],
  ])("takes 15 digits and 15 places of an amount: balance > %s", (amount, column) => {
    expect(fault(`balance > ${amount}`)?.column).toBe(column);
  });
});

function comparisons(count: number): string {
  return Array.from({ length: count }, () => "x").join(" OR ");
}

function nested(depth: number): string {
  return `${"(".repeat(depth)}x${")".repeat(depth)}`;
}

function long(characters: number): string {
  return `name=${"😀".repeat(characters - 5)}`;
}

describe("a faulty filter", () => {
  it.each([
    ["status=ACTIVE status=BLOCKED", 15],
    ["status=", 8],
    ["status=(ACTIVE)", 8],
    ["(status=ACTIVE", 15],
    ["status=ACTIVE)", 14],
    ["AND status=ACTIVE", 1],
    ["status=ACTIVE AND", 18],
    ["NOT NOT status=ACTIVE", 5],
    ["= 1", 1],
    ["!", 1],
    ['name="open', 6],
    ['"name"=x', 1],
    ["name*=x", 1],
    ["name<x*", 5],
    ["nope=1", 1],
    ["status=active", 8],
    ["status=A*", 8],
    ["status>ACTIVE", 7],
    ["accountType=LOAN", 13],
    ["balance=ten", 9],
    ["balance=1*", 9],
    ["balance=1234567890123456", 9],
    ["balance=1e99999999999", 9],
    ["createdDate=2026-02-30", 13],
    ["createdDate=yesterday", 13],
    ["isVerify=yes", 10],
    ["isVerify<true", 9],
    ["name=😀 x", 8],
  ])("%s is refused at column %d", (text, column) => {
    expect(fault(text)?.column).toBe(column);
    expect(fault(text)?.message).not.toBe("");
  });

  it("is refused beyond its limits, and taken at them", () => {
    expect(fault(comparisons(filterLimits.comparisonsMax))).toBeUndefined();
    expect(fault(comparisons(filterLimits.comparisonsMax + 1))?.column).toBe(101);
    expect(fault(nested(filterLimits.depthMax))).toBeUndefined();
    expect(fault(nested(filterLimits.depthMax + 1))?.column).toBe(9);
    expect(fault(long(filterLimits.charactersMax))).toBeUndefined();
    expect(fault(long(filterLimits.charactersMax + 1))?.column).toBe(1001);
  });
});
