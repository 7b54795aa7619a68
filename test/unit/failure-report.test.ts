import { expect, test } from "vitest";
import { shownFailure } from "../../runtime/pipeline/observing.ts";

const body = (payload: object) => Buffer.from(JSON.stringify({ id: "envelope", params: { payload } }));

test.each([
  ["a text", { a: "s3cret" }, "no s3cret here", "no [redacted] here"],
  ["a number", { a: 123456 }, "not 123456", "not [redacted]"],
  [
    "one inside another",
    { a: "word", b: "wordlong" },
    "a wordlong and a word",
    "a [redacted] and a [redacted]",
  ],
  ["one in a list", { a: [{ b: ["deep value"] }] }, "the deep value", "the [redacted]"],
  ["four characters", { a: "four" }, "four", "[redacted]"],
  ["three characters stay", { a: "the" }, "the", "the"],
  ["what is no parameter stays", {}, "envelope", "envelope"],
])("a report shows nothing that was sent: %s", (_name, payload, message, shown) => {
  const report = shownFailure(new Error(message), body(payload));
  expect(report.message).toBe(shown);
  if (shown !== message) expect(report.stack).not.toContain(message);
});

test("a report shows four causes, cleaned alike", () => {
  let error = new Error("cause s3cret 5");
  for (const depth of [4, 3, 2, 1, 0]) error = new Error(`cause s3cret ${depth}`, { cause: error });
  const messages: string[] = [];
  for (let at: ReturnType<typeof shownFailure> | undefined = shownFailure(error, body({ a: "s3cret" })); at;)
    [messages[messages.length], at] = [at.message, at.cause];
  expect(messages).toEqual([0, 1, 2, 3, 4].map((depth) => `cause [redacted] ${depth}`));
});
