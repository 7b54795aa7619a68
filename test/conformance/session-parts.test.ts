import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { withConformOptions } from "../../conformance/cli/options.ts";
import { mismatches } from "../../conformance/response/match.ts";
import { wordsOf } from "../../conformance/response/read-response.ts";
import { createKeyedLock, inParallel } from "../../conformance/session/order.ts";
import { CircuitBreaker, type Outcome, verdict, type Verdict } from "../../conformance/session/outcome.ts";
import { significantDigits } from "../../conformance/values/problems.ts";
import { requirementVerdicts, scoring } from "../../conformance/runner/requirement-verdicts.ts";
import { canonicalText, escaped, leadsTo } from "../../conformance/values/json.ts";
import { librarySuite } from "./library-suite.ts";

describe("operations that give no answer", () => {
  const failed = (check: "answer" | "status"): Verdict => ({
    status: "failed",
    findings: [{ check, level: "document", expected: "an answer", found: "none" }],
    exchanges: [],
  });
  function breakerAfter(
    count: number,
    methodAt: (at: number) => string,
    check: "answer" | "status" = "answer",
  ) {
    const breaker = new CircuitBreaker();
    for (let at = 0; at < count; at += 1) breaker.record(methodAt(at), failed(check));
    return breaker;
  }

  test.each([
    [4, undefined],
    [5, "Get gave no answer 5 times: the rest of it was not tried"],
  ])("after %i times: %s", (count, reason) => {
    const breaker = breakerAfter(count, () => "Get");
    expect(breaker.skipReason(["Put", "Get"])).toBe(reason);
    expect(breaker.skipReason(["Put"])).toBeUndefined();
  });

  test.each([
    [39, undefined],
    [40, "the service gave no answer 40 times: the rest was not tried"],
  ])("over all operations after %i times: %s", (count, reason) => {
    expect(breakerAfter(count, String).skipReason(["other"])).toBe(reason);
  });

  test("wrong answers are answers", () => {
    expect(breakerAfter(50, () => "Get", "status").skipReason(["Get"])).toBeUndefined();
  });
});

describe("work under keys", () => {
  test("waits for earlier work under any of its keys, also where that fails, and for no other", async () => {
    const lock = createKeyedLock();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = lock.run(["a", "b"], async () => {
      order.push("first begins");
      await gate.promise;
      order.push("first ends");
      throw new Error("first");
    });
    const failed = expect(first).rejects.toThrow("first");
    const second = lock.run(["c", "b"], () => Promise.resolve(void order.push("second")));
    const third = lock.run(["c"], () => Promise.resolve(order.push("third")));
    await lock.run(["d"], () => Promise.resolve(order.push("other")));
    gate.resolve();
    await Promise.all([failed, second]);
    expect(await third).toBe(5);
    expect(order).toEqual(["first begins", "other", "first ends", "second", "third"]);
  });

  test.each([
    [2, 2],
    [1, 1],
    [0, 1],
    [9, 5],
  ])("with %i at once, %i of five are at work at most", async (most, expected) => {
    let atWork = 0;
    let peak = 0;
    const done: number[] = [];
    await inParallel([1, 2, 3, 4, 5], most, async (item) => {
      atWork += 1;
      peak = Math.max(peak, atWork);
      await Promise.resolve();
      atWork -= 1;
      done.push(item);
    });
    expect({ peak, done: done.toSorted() }).toEqual({ peak: expected, done: [1, 2, 3, 4, 5] });
  });
});

test.each([
  ["document", "document", "failed"],
  ["decisions", "document", "passed"],
  ["document", "decisions", "failed"],
  ["decisions", "decisions", "failed"],
] as const)("a finding of level %s in a run of level %s: %s", (ofFinding, ofRun, status) => {
  const finding = { check: "status", level: ofFinding, expected: "200", found: "404" } as const;
  const exchange = { curl: "curl", answer: "404" };
  const isFailed = status === "failed";
  expect(verdict([finding], ofRun, [exchange])).toEqual({
    status,
    findings: isFailed ? [finding] : [],
    exchanges: isFailed ? [exchange] : [],
  });
});

describe("sentences", () => {
  const reference = { sentence: "Lends books.", section: "1", decisions: [] };
  const outcomeOf = (id: string, status: Outcome["status"]): Outcome => ({
    id,
    method: "m",
    title: "t",
    level: "document",
    origin: [],
    status,
    findings: [],
    exchanges: [],
    startedMs: 0,
    elapsedMs: 0,
  });
  const outcomes = [
    outcomeOf("m/passed", "passed"),
    outcomeOf("m/failed", "failed"),
    outcomeOf("m/skipped", "skipped"),
    outcomeOf("m/broken", "broken"),
  ];

  test.each([
    [["m/passed", "m/skipped", "m/broken"], "holds", []],
    [["m/passed", "m/failed"], "broken", ["m/failed"]],
    [["m/skipped", "m/broken"], "untried", []],
    [["m/absent"], "untried", []],
  ] as const)("with the cases %j: %s", (cases, expected, failed) => {
    const suite = { ...librarySuite.suite, requirements: [{ id: "1-1", ...reference, cases }] };
    expect(requirementVerdicts(suite, outcomes)).toEqual([
      { id: "1-1", ...reference, verdict: expected, cases, failed },
    ]);
    expect(scoring(suite)(cases[0])).toBe(true);
    expect(scoring(suite)("m/other")).toBe(false);
  });

  test("one that no case can show says why; without sentences every case counts", () => {
    const untested = "it binds the operator";
    const requirements = [{ id: "1-1", ...reference, cases: [], untested }];
    const suite = { ...librarySuite.suite, requirements };
    expect(requirementVerdicts(suite, outcomes)).toMatchObject([{ verdict: "untested", reason: untested }]);
    expect(scoring({ ...suite, requirements: [] })("m/other")).toBe(true);
  });
});

describe("the options of the command", () => {
  function parsed(...args: readonly string[]) {
    const command = withConformOptions(new Command())
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
    return command.parse(args, { from: "user" }).opts();
  }

  test("have defaults", () => {
    const { timeout, ...others } = parsed();
    expect(timeout).toBe(10_000);
    expect(others).toEqual({
      level: "decisions",
      explore: 10,
      failures: 20,
      eventTimeout: 5000,
      concurrency: 16,
      errors: "ok",
      callbackPort: 0,
    });
  });

  test.each(["0", "7", "1234567890"])("%s is a whole number", (text) => {
    expect(parsed("--seed", text)).toMatchObject({ seed: Number(text) });
  });
  test.each(["", "-1", "1.5", "1e3", "x1", "1x", "12345678901"])("%j is none", (text) => {
    expect(() => parsed("--seed", text)).toThrow("It is a whole number.");
  });
  test.each([
    ["--level", "all"],
    ["--errors", "other"],
  ])("%s takes no %s", (option, value) => {
    expect(() => parsed(option, value)).toThrow("Allowed choices are");
  });
});

describe("patterns of an answer", () => {
  test.each<readonly [unknown, unknown, unknown]>([
    [{ $less: 3 }, 2, 3],
    [{ $greater: 3 }, 4, 3],
    [{ $atMost: 3 }, 3, 4],
    [{ $atMost: 3 }, 2, undefined],
    [{ $atLeast: 3 }, 3, 2],
    [{ $atLeast: 3 }, 4, undefined],
    [{ $less: "b" }, "a", "b"],
    [{ $less: "3" }, "2", 2],
    [{ $oneOf: [1, { a: 1 }] }, { a: 1 }, { a: 1, b: 2 }],
    [{ $same: { a: 1 } }, { a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: 1, b: 2 }, { a: 2 }],
    [{ a: 1 }, { a: 1 }, null],
    [
      [1, 2],
      [1, 2],
      [1, 2, 3],
    ],
    [[1, 2], [1, 2], [1]],
    [{ $length: 2 }, [1, 2], [1]],
    [{ $length: 2 }, "ab", { length: 2 }],
    [{ $contains: { a: 1 } }, [{ a: 2 }, { a: 1 }], [{ a: 2 }]],
    [{ $lacks: { a: 1 } }, [{ a: 2 }], [{ a: 1 }]],
    [{ $lacks: 1 }, [], undefined],
    [{ $each: { $less: 3 } }, [1, 2], [1, 3]],
    [{ $each: 1 }, [], undefined],
    [{ $all: [{ $less: 3 }, { $greater: 1 }] }, 2, 3],
    [{ $not: 1 }, 2, 1],
    [{ $absent: true }, undefined, null],
    [{ $present: true }, null, undefined],
    [{ $matches: "^a+$" }, "aa", "ab"],
    [{ $holds: "a" }, "bab", "bb"],
    [{ $holds: "1" }, "1", 1],
    [{ $digitsModulo: [97, 1] }, "98", "97"],
    [{ $digitsModulo: [97, 1] }, "00098", 98],
    [{ $sameItems: [1, 2] }, [2, 1], [1, 2, 3]],
    [{ $sameItems: [1, 2] }, [1, 2], [1, 3]],
    [{ $unique: true }, [1, 2], [1, 1]],
    [{ $ascending: true }, [1, 1, 2], [2, 1]],
    [{ $less: 3, other: 1 }, { $less: 3, other: 1 }, 2],
  ])("%j takes %j, not %j", (pattern, fitting, other) => {
    expect(mismatches(pattern, fitting)).toEqual([]);
    expect(mismatches(pattern, other)).not.toEqual([]);
  });

  test("a mismatch says where it is", () => {
    const found = mismatches({ a: [{ b: 1 }, { $length: 1 }] }, { a: [{ b: 2 }, "xy"] });
    expect(found.map(({ at }) => at)).toEqual(["/a/0/b", "/a/1#length"]);
  });

  test("a check that is not there is a fault of the pattern", () => {
    expect(() => mismatches({ $les: 1 }, 1)).toThrow("$les, which is not a check");
  });
});

describe("values", () => {
  test.each([
    [{ a: { b: 1 } }, ["a", "b"], true],
    [{ a: { b: null } }, ["a", "b"], true],
    [{ a: 1 }, [], true],
    [{ a: 1 }, ["a", "b"], false],
    [{}, ["toString"], false],
    [[1], ["0"], false],
  ] as const)("whether %j leads to %j: %s", (value, path, isThere) => {
    expect(leadsTo(value, path)).toBe(isThere);
  });

  test("a step of a pointer escapes the tilde first", () => {
    expect(escaped("~/a~1")).toBe("~0~1a~01");
  });

  test("the order of names makes no difference, that of items does", () => {
    expect(canonicalText({ a: 1, b: [{ d: 0, c: 1 }] })).toBe(canonicalText({ b: [{ c: 1, d: -0 }], a: 1 }));
    expect(canonicalText([1, 2])).not.toBe(canonicalText([2, 1]));
    expect(canonicalText({ a: 1 })).not.toBe(canonicalText({ a: "1" }));
  });

  test.each([
    [0.1, 1],
    [-12.5, 3],
    [1000, 1],
    [1001, 4],
    [123_456_789_012_345.6, 16],
  ])("%d has %i significant digits", (value, digits) => {
    expect(significantDigits(value)).toBe(digits);
  });

  test.each([
    ["<!DOCTYPE html>\n<html><b>Bad</b>\n gateway</html>", "a page that says: Bad gateway"],
    ["  <html lang=en>No</html>", "a page that says: No"],
    ["<htmlx>No</htmlx>", "<htmlx>No</htmlx>"],
    ['{"a":"<html>"}', '{"a":"<html>"}'],
  ])("the words of %j", (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });
});
