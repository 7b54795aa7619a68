import type { AccountCondition } from "../../ledger/domain/lists.ts";
import type { AccountRecord } from "../../ledger/domain/records/accounts.ts";
import { currencies } from "./reference-evaluation.ts";
import { fc } from "../seed.ts";

/** An account to be written, and what its postings shall come to. */
export interface AccountPlan {
  readonly fields: Partial<AccountRecord>;
  readonly ledgerMinor: bigint;
}

const orders = ["=", "!=", "<", "<=", ">", ">="] as const;
const int64Max = 2n ** 63n - 1n;

/** Few letters, so that texts often meet: both cases, wildcards of LIKE and GLOB, and both sides of the surrogates. */
const signs = [
  "a",
  "A",
  "b",
  "É",
  "é",
  "%",
  "_",
  "\\",
  "*",
  "[",
  "'",
  '"',
  "\ud7ff",
  "\uffee",
  "𝄞",
  "\u{10ffff}",
];
const text = fc.string({ unit: fc.constantFrom(...signs), maxLength: 4 });
/** Texts that are kept hold no U+0000; a caller may look for it all the same. */
const soughtText = fc.string({ unit: fc.constantFrom("\0", ...signs), maxLength: 4 });
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(-30n, 30n) },
  { weight: 2, arbitrary: fc.bigInt(-int64Max, int64Max) },
  { weight: 1, arbitrary: fc.constantFrom(int64Max, -int64Max, 2n ** 32n, -(2n ** 32n), 2n ** 32n - 1n) },
);
const time = fc.integer({ min: -3, max: 3 });

export const accountPlans: fc.Arbitrary<readonly AccountPlan[]> = fc.array(
  fc.record({
    fields: fc.record({
      name: text,
      category: text,
      glAccount: text,
      holdMinor: amount,
      preAuthMinor: amount,
      verified: fc.boolean(),
      createdAt: time,
      updatedAt: time,
      currency: fc.constantFrom(...Object.keys(currencies)),
      type: fc.constantFrom("SAVINGS" as const, "WALLET" as const),
      status: fc.constantFrom("ACTIVE" as const, "CLOSED" as const),
    }),
    ledgerMinor: amount,
  }),
  { minLength: 1, maxLength: 12 },
);

const textValue = fc.oneof(
  { weight: 4, arbitrary: soughtText },
  {
    weight: 2,
    arbitrary: fc.constantFrom("USD", "84", "840", "0", "", "?", "SAVINGS", "active", "ACTIVE", "8", "9"),
  },
);

const leaf: fc.Arbitrary<AccountCondition> = fc.oneof(
  fc.record({
    kind: fc.constant("text" as const),
    field: fc.constantFrom(
      ...([
        "id",
        "name",
        "number",
        "customerID",
        "customerName",
        "institutionName",
        "accountCategory",
      ] as const),
      ...(["accountType", "currency", "currencyCode", "status", "institutionID", "glAccount"] as const),
      ...(["name", "accountCategory", "glAccount", "currencyCode"] as const),
    ),
    op: fc.constantFrom(...orders, "has" as const, "prefix" as const),
    value: textValue,
  }),
  fc.record({
    kind: fc.constant("time" as const),
    field: fc.constantFrom("createdDate" as const, "updatedDate" as const),
    op: fc.constantFrom(...orders),
    value: time,
  }),
  fc.record({
    kind: fc.constant("amount" as const),
    field: fc.constantFrom(
      "balance" as const,
      "holdBalance" as const,
      "ledgerBalance" as const,
      "preAuthBalance" as const,
    ),
    op: fc.constantFrom(...orders),
    digits: fc.oneof(
      amount,
      amount.map((minor) => minor * 10n),
      fc.bigInt(-(10n ** 30n), 10n ** 30n),
    ),
    scale: fc.integer({ min: 0, max: 15 }),
  }),
  fc.record({
    kind: fc.constant("flag" as const),
    field: fc.constant("isVerify" as const),
    op: fc.constantFrom("=" as const, "!=" as const),
    value: fc.boolean(),
  }),
);

export const conditions: fc.Arbitrary<AccountCondition> = fc.letrec<{ condition: AccountCondition }>(
  (tie) => ({
    condition: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      { weight: 3, arbitrary: leaf },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constantFrom("and" as const, "or" as const),
          terms: fc.array(tie("condition"), { maxLength: 3 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("not" as const), term: tie("condition") }) },
    ),
  }),
).condition;
