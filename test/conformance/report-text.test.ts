import { describe, expect, test } from "vitest";
import {
  type CaseKind,
  caseKindOf,
  causesOf,
  reasonsOf,
  verdictOn,
} from "../../conformance/report/summary.ts";
import { originText, progressReporter, textReport } from "../../conformance/report/text.ts";
import { resultsId } from "../../conformance/session/seen.ts";
import { htmlReport } from "../../conformance/report/html.ts";
import type { RunReport } from "../../conformance/runner/run.ts";
import { contactId, interrupted, type Outcome } from "../../conformance/session/outcome.ts";
import { timersByHand } from "../timers-by-hand.ts";

const named = (color: string) => (text: string) => `<${color}>${text}</>`;
const colored = {
  bold: same,
  dim: same,
  red: named("red"),
  green: named("green"),
  yellow: named("yellow"),
};
const plain = { bold: same, dim: same, red: same, green: same, yellow: same };

function same(text: string): string {
  return text;
}

function outcome(status: Outcome["status"], more: Partial<Outcome> = {}): Outcome {
  return {
    id: "Bank.Get/present",
    method: "Bank.Get",
    title: "is there",
    level: "document",
    origin: [],
    status,
    findings: [],
    exchanges: [],
    startedMs: 0,
    elapsedMs: 1,
    ...more,
  };
}

function failure(expected: string, id = "Bank.Get/present"): Outcome {
  return outcome("failed", {
    id,
    findings: [{ check: "status", level: "document", expected, found: "404" }],
  });
}

function reportOf(outcomes: readonly Outcome[], more: Partial<RunReport> = {}): RunReport {
  return {
    name: "bank",
    title: "Bank",
    revision: "1.0",
    baseUrl: "http://bank.example",
    level: "decisions",
    seed: 7,
    startedAt: "2026-11-20T10:11:12.345Z",
    elapsedMs: 12_345,
    outcomes,
    unscored: [],
    uncounted: [],
    requirements: [],
    ...more,
  };
}

const times = (count: number, each: Outcome): readonly Outcome[] => Array.from({ length: count }, () => each);

describe("the verdict on a run", () => {
  const passed = outcome("passed");
  test.each<readonly [string, RunReport, string, readonly string[]]>([
    ["all hold", reportOf([passed]), "conforms", []],
    ["one failed", reportOf([passed, failure("x")]), "fails", ["1 failed"]],
    ["one is broken", reportOf([passed, outcome("broken")]), "fails", ["1 broken"]],
    ["only a broken one", reportOf([outcome("broken")]), "fails", ["1 broken"]],
    [
      "broken ones of both kinds",
      reportOf([outcome("broken")], { unscored: [outcome("broken")] }),
      "fails",
      ["2 broken"],
    ],
    [
      "a later one failed",
      reportOf([passed], { unscored: [failure("x")] }),
      "fails",
      ["1 failed that belong to no requirement yet"],
    ],
    ["only a later one passed", reportOf([], { unscored: [passed] }), "conforms", []],
    [
      "operations without a case",
      reportOf([passed], { uncounted: ["A", "B"] }),
      "fails",
      ["no case counts for A, B"],
    ],
    ["all were skipped", reportOf([outcome("skipped")]), "untried", ["no case was tried"]],
    ["no case", reportOf([]), "untried", ["no case was tried"]],
    [
      "interrupted after a failure",
      reportOf([passed, failure("x"), outcome("skipped", { reason: interrupted })]),
      "untried",
      [interrupted, "1 failed"],
    ],
    ["no contact", reportOf([failure("x", contactId)]), "untried", ["no case was tried"]],
  ])("%s", (_what, report, kind, reasons) => {
    expect(verdictOn(report)).toEqual({ kind, reasons });
  });

  test("reasons of one status are counted, also where none is given", () => {
    const skipped = outcome("skipped", { reason: "no mail" });
    const all = [skipped, outcome("skipped"), skipped, outcome("broken", { reason: "no mail" })];
    expect([...reasonsOf(all, "skipped")]).toEqual([
      ["no mail", 2],
      ["no reason given", 1],
    ]);
  });
});

describe("the report for a terminal", () => {
  const linesOf = (report: RunReport, failuresMax = 20, paint = plain): readonly string[] =>
    textReport(report, { paint, failuresMax }).split("\n");

  test.each([
    [2, 1, 1, "1 more failures, by what was expected:"],
    [2, 2, 2, undefined],
    [2, 0, 0, "2 more failures, by what was expected:"],
  ])("of %i failures, with at most %i, %i are shown", (failed, most, shown, rest) => {
    const lines = linesOf(reportOf(times(failed, failure("200"))), most);
    expect(lines.filter((line) => line.startsWith("FAILED"))).toHaveLength(shown);
    expect(lines.find((line) => line.includes("more failures"))).toBe(rest);
  });

  test("failures of one cause are counted, and the first of them is named", () => {
    const all = [failure("200", "Bank.Get/a"), failure("200", "Bank.Get/b"), failure("200", "Bank.Get/c")];
    expect(linesOf(reportOf(all), 0)).toContain("      3  200: Bank.Get/a and 2 more");
    expect(linesOf(reportOf(all), 2)).toContain("      1  200: Bank.Get/c");
  });

  test("the last lines count, say how long it took, and give the verdict", () => {
    const all = [...times(3, outcome("passed")), failure("200"), failure("201"), outcome("skipped")];
    expect(linesOf(reportOf(all)).slice(-3)).toEqual([
      "Bank 1.0 at http://bank.example, level decisions, seed 7",
      "3 passed, 2 failed, 1 skipped in 12.3 s",
      "does not conform: 2 failed",
    ]);
    expect(linesOf(reportOf([outcome("passed")])).slice(-2)).toEqual([
      "1 passed, 0 failed in 12.3 s",
      "conforms at level decisions",
    ]);
    expect(linesOf(reportOf([])).at(-1)).toBe("no verdict: no case was tried");
  });

  test("colors follow the verdict", () => {
    const all = [outcome("passed"), failure("200"), outcome("skipped"), outcome("broken")];
    const text = linesOf(reportOf(all), 20, colored).join("\n");
    expect(text).toContain("<green>1 passed</>, <red>1 failed</>, <yellow>1 skipped</>, <red>1 broken</>");
    expect(text).toContain("Bank.Get  <green>       1</><red>       1</><yellow>       1</>");
  });

  test.each([
    [1, 1, ""],
    [1, 2, ", as far as it was tried: 2 of 3 cases were skipped"],
  ])("with %i passed and %i skipped: conforms%s", (passed, skipped, untried) => {
    const all = [...times(passed, outcome("passed")), ...times(skipped, outcome("skipped"))];
    expect(linesOf(reportOf(all)).at(-1)).toBe(`conforms at level decisions${untried}`);
  });

  test("an operation that only answered errors is named beside the verdict", () => {
    const untried = outcome("skipped", { id: resultsId("Bank.Get") });
    expect(linesOf(reportOf([outcome("passed"), untried])).at(-1)).toBe(
      "conforms at level decisions, as far as it was tried: no result of Bank.Get was checked, only errors were answered",
    );
  });

  test("a failure names its origin once, and shows request, answer and how to see it again", () => {
    const exchange = { curl: "curl \\\n  http://bank.example", answer: `HTTP 404\n${"x".repeat(3000)}` };
    const finding = { check: "status", level: "document", expected: "200", found: "404" } as const;
    const failed = outcome("failed", {
      origin: ["4.5"],
      findings: [{ ...finding, origin: ["4.5", "D-14"] }],
      exchanges: [exchange],
      replay: "1:a",
    });
    expect(linesOf(reportOf([failed])).slice(0, 10)).toEqual([
      "FAILED Bank.Get/present",
      "  is there (section 4.5)",
      "  expected 200 (D-14)",
      "  found    404",
      "  shown again by --replay 1:a",
      "    curl \\",
      "      http://bank.example",
      "    < HTTP 404",
      `    < ${"x".repeat(2000 - "HTTP 404\n".length)}`,
      "",
    ]);
  });

  test("sentences are counted by their verdicts, and those that do not hold are named", () => {
    const sentence = (id: string, verdict: "holds" | "broken" | "untried" | "untested") => ({
      id,
      sentence: `says ${id}`,
      section: "1",
      decisions: [],
      verdict,
      cases: [],
      failed: verdict === "broken" ? ["a", "b"] : [],
    });
    const requirements = [
      ...["1", "2", "3", "4"].map((id) => sentence(id, "holds")),
      ...["5", "6", "7"].map((id) => sentence(id, "untested")),
      ...["8", "9"].map((id) => sentence(id, "untried")),
      sentence("10", "broken"),
    ];
    const lines = linesOf(reportOf([outcome("passed")], { requirements }));
    expect(lines).toContain(
      "Of 10 sentences that bind: 4 hold, 1 do not, 2 were not tried, 3 cannot be shown by a case",
    );
    expect(lines.filter((line) => line.includes("says"))).toEqual(["  10 says 10 (2 failed)"]);
  });

  test("the table is left out where the service was not reached", () => {
    expect(linesOf(reportOf([outcome("passed")]))).toContain("operation   passed  failed skipped");
    expect(linesOf(reportOf([failure("x", contactId)]))).not.toContain("operation   passed  failed skipped");
  });

  test("an origin that begins with a digit is a section", () => {
    expect(originText(["4.5", "D-14", "RFC 8259"])).toBe("section 4.5, D-14, RFC 8259");
  });
});

describe("causes", () => {
  test("numbers and names in quotes do not part failures, other words and checks do; the most frequent first", () => {
    const other = outcome("failed", {
      findings: [{ check: "body", level: "document", expected: "5 items", found: "" }],
    });
    const all = [failure("a list"), failure('5 items of "a"'), failure('61 items of "b"'), other];
    expect(causesOf(all).map(({ expected, outcomes }) => [expected, outcomes.length])).toEqual([
      ['5 items of "a"', 2],
      ["a list", 1],
      ["5 items", 1],
    ]);
    const sameWords = [failure("5 items"), other];
    expect(causesOf(sameWords)).toHaveLength(2);
  });
});

describe("the kind of a case", () => {
  test.each<readonly [string, CaseKind]>([
    ["Bank.Get/present", "present"],
    ["Bank.Get/example/1", "examples"],
    ["Bank.Get/payload/minimal", "least and most"],
    ["Bank.Get/payload/in-full", "least and most"],
    ["Bank.Get/payload/id/absent", "required"],
    ["Bank.Get/payload/none-of-a-b", "required"],
    ["Bank.Get/payload/id/empty", "empty, null"],
    ["Bank.Get/payload/items/0-items", "empty, null"],
    ["Bank.Get/payload/id/spelled-Id", "spellings"],
    ["Bank.Get/payload/unknown-property", "unknown"],
    ["Bank.Get/payload/id/unknown", "unknown"],
    ["Bank.Get/payload/id/unknown-value", "values"],
    ["Bank.Get/payload/id/other-case", "values"],
    ["Bank.Get/payload/id/string", "types"],
    ["Bank.Get/payload/id/null-among-items", "empty, null"],
    ["Bank.Get/payload/id/no-date", "formats"],
    ["Bank.Get/payload/id/65-characters", "bounds"],
    ["Bank.Get/payload/id/fraction", "bounds"],
    ["Bank.Get/payload/id/whatever", "other"],
    ["Bank.Get/authentication/api-key/absent", "credential"],
    ["Bank.Get/authentication/signature/absent", "signature"],
    ["Bank.Get/order/1", "order of checks"],
    ["Bank.Get/headers/date", "signature"],
    ["Bank.Get/json/empty", "envelope"],
    ["Bank.Get/http-method/PUT", "transport"],
    ["Bank.Get/path/long", "transport"],
    ["scenario/money", "sequences"],
    ["exploration/creates", "exploration"],
    [contactId, "other"],
    ["Bank.GetOther/present", "other"],
  ])("%s: %s", (id, kind) => {
    expect(caseKindOf({ id, method: "Bank.Get" })).toBe(kind);
  });
});

describe("the page", () => {
  const headlineOf = (report: RunReport): string | undefined =>
    /<h1>(.*)<\/h1>/.exec(htmlReport(report))?.[1];

  test.each<readonly [string, RunReport]>([
    ["No verdict", reportOf([])],
    ["Everything that was tried holds", reportOf([outcome("passed")])],
    ["No case counts for A", reportOf([outcome("passed")], { uncounted: ["A"] })],
    ["1 cases of the suite are broken", reportOf([outcome("broken"), outcome("passed")])],
    [
      "1 of 3 cases fails",
      reportOf([failure("x"), outcome("passed"), outcome("broken"), outcome("skipped")]),
    ],
    ["2 of 2 cases fail", reportOf([failure("x"), failure("x")])],
  ])("%s", (headline, report) => {
    expect(headlineOf(report)).toBe(headline);
  });

  test.each([
    [2, 0, 3, "100 %"],
    [2999, 1, 0, "99.9 %"],
    [2, 1, 0, "66.6 %"],
    [0, 1, 0, "0.0 %"],
    [0, 0, 1, "–"],
  ])("with %i passed, %i failed and %i skipped, %3$s hold", (passed, failed, skipped, share) => {
    const all = [
      ...times(passed, outcome("passed")),
      ...times(failed, failure("x")),
      ...times(skipped, outcome("skipped")),
    ];
    expect(/text-anchor="middle">(.*?)<\/text>/.exec(htmlReport(reportOf(all)))?.[1]).toBe(share);
  });

  test("the parts of the ring follow each other, and a rare one is still to be seen", () => {
    const html = htmlReport(reportOf([...times(999, outcome("passed")), failure("x")]));
    const arcs = html.matchAll(
      /<circle class="(\w+)".*?dasharray="([\d.]+) ([\d.]+)" .*?offset="(-?[\d.]+)"/g,
    );
    expect([...arcs].map(([, ...parts]) => parts)).toEqual([
      ["passed", "326.40", "326.73", "0.00"],
      ["failed", "3.92", "326.73", "-326.40"],
    ]);
  });

  test("its head follows the verdict and says where, when and how long", () => {
    const html = htmlReport(reportOf([outcome("passed")]));
    expect(html).toContain('<header class="head good">');
    expect(html).toContain("<dt>Started</dt><dd>2026-11-20 10:11:12 UTC</dd>");
    expect(html).toContain("<dt>Took</dt><dd>12.3 s</dd>");
    expect(htmlReport(reportOf([failure("x")]))).toContain('<header class="head bad">');
  });

  test("no text of a report becomes markup or ends its script", () => {
    const title = `<b a="1">&</script>\u2028\u2029`;
    const html = htmlReport(reportOf([outcome("passed")], { title }));
    expect(html).toContain("<title>&lt;b a=&quot;1&quot;>&amp;&lt;/script>");
    expect(html.split("</script>")).toHaveLength(3);
    expect(html).toContain("\\u003c/script>\\u2028\\u2029");
  });

  test("broken cases have a filter only where there are some", () => {
    const filter = 'name="status" value="broken"';
    expect(htmlReport(reportOf([outcome("passed")]))).not.toContain(filter);
    expect(htmlReport(reportOf([outcome("broken")]))).toContain(filter);
  });
});

describe("progress", () => {
  function reporter(isLive: boolean) {
    const [replaced, appended]: [string[], string[]] = [[], []];
    const show = progressReporter({
      paint: colored,
      isLive,
      replace: (line) => void replaced.push(line),
      append: (line) => void appended.push(line),
    });
    const report = (done: number, total: number, failed = 0): void =>
      show({ done, total, failed, at: "bank.Service.Get" });
    return { report, replaced, appended };
  }

  test("without a terminal each fifth stays as a line", () => {
    timersByHand({ performance: true });
    const { report, appended } = reporter(false);
    for (let done = 1; done <= 10; done += 1) report(done, 10, done === 10 ? 1 : 0);
    expect(appended).toEqual([
      ...[2, 4, 6, 8].map((done) => `${done} of 10 cases, 0 failed, 0 s`),
      "10 of 10 cases, <red>1 failed</>, 0 s",
    ]);
  });

  test("on a terminal the line changes every 100 ms, and at the end", () => {
    const clock = timersByHand({ performance: true });
    const { report, replaced, appended } = reporter(true);
    const shown = (): number => replaced.length;
    report(1, 40);
    expect(shown()).toBe(1);
    clock.pass(99);
    report(2, 40);
    expect(shown()).toBe(1);
    clock.pass(1);
    report(3, 40);
    expect(shown()).toBe(2);
    report(40, 40);
    expect(shown()).toBe(3);
    clock.pass(1900);
    report(39, 40, 2);
    expect(replaced.at(-1)).toBe(`<green>${"━".repeat(19)}</>━ 39/40 · <red>2 failed</> · 2 s · Get`);
    expect(appended).toEqual([]);
  });
});
