import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPages } from "../../web/shared/open-pages.ts";
import { cancelText, disabledText, seen } from "../../web/shared/reasons.ts";

const schema: { $defs: Record<string, { enum?: string[] }> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../generated/partner/json-schema.json"), "utf8"),
);

test.for([
  ["CancelReason", cancelText],
  ["DisabledReason", disabledText],
] as const)("the pages have words for every %s of the interface", ([type, wordsFor]) => {
  const values = schema.$defs[type]?.enum ?? [];
  expect(values.length).toBeGreaterThan(3);
  expect(values.filter((value) => wordsFor(value) === value)).toEqual([]);
});

test.for([
  ["Rent", "Rent"],
  [" a ", " a "],
  ["", "“” (blank)"],
  ["  ", "“  ” (blank)"],
  ["\u200b\u3164", "“\u200b\u3164” (blank)"],
] as const)("a name that someone chose is seen: %j", ([name, shown]) => {
  expect(seen(name)).toBe(shown);
});

test.for([
  [["users", "demo"], ["GetUser"], true],
  [["users"], ["GetUser"], false],
  [["users", "demo"], ["ListUsers", "Users.*"], false],
  [["deliveries", "in", "DEAD"], ["ListDeliveries"], true],
  [["deliveries", "01KAFZK5"], ["ListDeliveries"], false],
  [["deliveries", "01KAFZK5"], ["Deliveries.*"], true],
  [["deliveries", "01KAFZK5"], ["*"], true],
  [["deliveries", "01KAFZK5"], undefined, true],
  [["elsewhere"], [], true],
] as const)("whether %j is a link for a reader with the scopes %j", ([path, scopes, isLink]) => {
  const pages = [
    { name: "overview" },
    {
      name: "users",
      operation: ([name]: readonly string[]) => (name === undefined ? "ListUsers" : "GetUser"),
    },
    {
      name: "deliveries",
      operation: ([first]: readonly string[]) => (first === "in" ? "ListDeliveries" : "Deliveries.Get"),
    },
  ];
  expect(openPages(pages, scopes)(path)).toBe(isLink);
});
