import { expect, test } from "vitest";
import { money } from "../../generated/ledger/client/index.ts";
import { parseJson } from "../../generated/ledger/client/json.ts";

/** So many that a time that grows with the square is longer than any test has. */
const count = 300_000;

test("each amount of an answer takes its share of time and no more, in a list or in an object", () => {
  const list = Array.from({ length: count }, (_, at) => `${at}.50`).join(",");
  expect(money.digits(Object(parseJson(`[${list}]`)), "0")).toBe("0.50");
  const object = Array.from({ length: count }, (_, at) => `"n${at}":${at}.50`).join(",");
  expect(money.digits(Object(parseJson(`{${object}}`)), "n0")).toBe("0.50");
});
