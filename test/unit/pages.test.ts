import { describe, expect, test } from "vitest";
import { RpcError } from "../../runtime/contract/index.ts";
import { auditPage, type AuditAsked } from "../../runtime/operations/admin/audit.ts";
import {
  idOf,
  idToken,
  pageOf,
  pageToken,
  placeOf,
  numberOf,
  numberToken,
} from "../../runtime/operations/admin/pages.ts";
import { createMemoryStore } from "../bank-stores.ts";
import type { Page, AuditRecord } from "../../runtime/store/ports/index.ts";

const context = {
  error: (code: string, detail: { readonly field?: string; readonly reason?: string }) =>
    new RpcError(code, detail),
};
const token = (text: string) => Buffer.from(text).toString("base64url");

describe("a page", () => {
  test.each([
    [0, 0, false],
    [2, 2, false],
    [3, 3, false],
    [4, 3, true],
  ])("of 3 among %d found has %d, and a token only where more follow", (count, shown, isMore) => {
    const found = Array.from({ length: count }, (_, number) => `r${number}`);
    const { items, next } = pageOf(found, 3, (last) => `after ${last}`);
    expect(items).toEqual(found.slice(0, shown));
    expect(next).toBe(isMore ? "after r2" : undefined);
  });
});

describe("a token", () => {
  test("is read as what it was written from", () => {
    expect(idOf(context, idToken("Zoë/1"))).toBe("Zoë/1");
    expect(numberOf(context, numberToken(17))).toBe(17);
    expect(placeOf(context, pageToken({ createdAt: 1_700, id: "s1" }))).toEqual({
      createdAt: 1_700,
      id: "s1",
    });
    expect([idOf(context, undefined), placeOf(context, undefined)]).toEqual([undefined, undefined]);
  });

  test.each([
    ["an empty one", idOf, ""],
    ["one with signs of no token", idOf, `${token("abc")}!`],
    ["one with padding", idOf, `${token("a")}==`],
    ["a place without a time", placeOf, token(" s1")],
    ["a place without an id", placeOf, token("1700 ")],
    ["a place with a time of 16 digits", placeOf, token("1234567890123456 s1")],
    ["a place of two ids", placeOf, token("1700 s1 s2")],
    ["a number that is none", numberOf, token("n1x")],
    ["a token of an earlier release, whose numbers were others", numberOf, token("17")],
    ["a number of 16 digits", numberOf, token("n1234567890123456")],
  ])("is refused: %s", (_name, read, wrong) => {
    expect(() => read(context, wrong)).toThrow(
      expect.objectContaining({ code: "BAD_INPUT", detail: { field: "/after", reason: "page-token" } }),
    );
  });
});

describe("a page of the audit", () => {
  const store = createMemoryStore();
  const startMs = 1_700_000_000_000;
  const entry = (number: number, changedAt: number, userName?: string): AuditRecord => ({
    sequence: 2 * number,
    number,
    institutionId: "i",
    subjectType: "category",
    subjectId: "c",
    position: number,
    operation: "o",
    changedAt,
    changes: [],
    hash: "",
    ...(userName === undefined ? {} : { userName }),
  });

  /** The page over this audit, newest first, and what was asked of the store for it. */
  async function page(entries: readonly AuditRecord[], asked: AuditAsked) {
    const queries: (readonly unknown[])[] = [];
    const result = await store.read((view) =>
      auditPage(
        {
          ...context,
          caller: { userName: "una", institutionId: "i" },
          store: {
            ...view,
            page: async <R>(asked: Page<R>) => {
              const values = "query" in asked ? asked.values : [];
              queries.push(values);
              const before = values.length === 3 ? Number(values[1]) : Infinity;
              const later = entries.filter(({ number }) => number < before);
              return Object(later.slice(0, Number(values.at(-1))));
            },
          },
        },
        asked,
      ),
    );
    return { numbers: result.entries.map(({ number }) => number), next: result.next, queries };
  }

  test("asks for one more than it shows where the store finds by itself", async () => {
    const { queries } = await page([], { pageSize: 7, subject: "category", subjectId: "c" });
    expect(queries).toEqual([["i", "category", "c", 8]]);
  });

  test("looks at 500 entries for those of an actor, and goes on after them", async () => {
    const others = Array.from({ length: 2_500 }, (_, index) => entry(5_000 - index, startMs, "olaf"));
    const found = await page(others, { actor: "una", pageSize: 7 });
    expect(found.queries.slice(0, 2)).toEqual([
      ["i", 51],
      ["i", 4_950, 51],
    ]);
    expect(found.queries.reduce((sum, values) => sum + Number(values.at(-1)), 0)).toBe(500);
    expect(found).toMatchObject({ numbers: [], next: numberToken(4_501) });
    expect((await page(others.slice(0, 499), { actor: "una" })).next).toBeUndefined();
  });

  test("bears entries up to five minutes out of order, and ends behind them", async () => {
    const from = new Date(startMs).toISOString();
    const late = (byMs: number) =>
      page([entry(3, startMs), entry(2, startMs - byMs), entry(1, startMs)], { from });
    expect((await late(300_000)).numbers).toEqual([3, 1]);
    expect((await late(300_001)).numbers).toEqual([3]);
  });

  test("takes the first moment of its time, and not the last", async () => {
    const [from, to] = [startMs, startMs + 10].map((timeMs) => new Date(timeMs).toISOString());
    const entries = [entry(4, startMs + 10), entry(3, startMs + 9), entry(2, startMs), entry(1, startMs - 1)];
    expect((await page(entries, { from: from ?? "", to: to ?? "" })).numbers).toEqual([3, 2]);
  });
});
