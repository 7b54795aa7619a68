import { expect, test } from "vitest";
import { matcherOf, timeOf } from "../../runtime/operations/cli/events-tail.ts";
import type { DeliveryRecord } from "../../runtime/store/ports/index.ts";

const delivery: DeliveryRecord = {
  id: "d1",
  institutionId: "091311229",
  subscriptionId: "s1",
  eventId: "e1",
  eventName: "Account.UPDATE",
  topics: ["4402317756", "4402317757"],
  sequence: 1,
  generation: 0,
  state: "PENDING",
  attempts: 0,
  failures: 0,
  createdAt: 0,
};

test.each([
  ["90s", 10_000_000 - 90_000],
  ["2h", 10_000_000 - 7_200_000],
  ["1970-01-01T00:00:05Z", 5_000],
])("--since %s is a time", (text, expected) => {
  expect(timeOf(text, 10_000_000)).toBe(expected);
});

test("--since refuses what is no time, and says how one is written", () => {
  expect(() => timeOf("yesterday", 0)).toThrow(/^--since yesterday is no time: write 90s/);
});

const words = { one: "account", all: "accountNumbers" };

test.each([
  [["event=Account.UPDATE"], true],
  [["event=Account.*", "account=4402317757"], true],
  [["event=Account.*", "account=1"], false],
  [["failure=timeout"], false],
  [[], true],
] as const)("--filter %s: %s", (filters, expected) => {
  expect(matcherOf(filters, words)({ delivery })).toBe(expected);
});

test("topics are called so where the application has no word for them", () => {
  expect(matcherOf(["topic=4402317757"])({ delivery })).toBe(true);
  expect(() => matcherOf(["account=1"])).toThrow(/name one of event, topic, subscription/);
});

test.each(["name=x", "event", "=x"])("--filter %s is refused with the names there are", (filter) => {
  expect(() => matcherOf([filter], words)).toThrow(/name one of event, account, subscription/);
});
