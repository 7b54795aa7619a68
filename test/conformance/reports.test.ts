import { beforeAll, describe, expect, test } from "vitest";
import {
  badgeReport,
  countsOf,
  htmlReport,
  jsonReport,
  junitReport,
  type RunReport,
} from "../../conformance/index.ts";
import { sampleReport } from "./sample-report.ts";

let report: RunReport;
let apiKey: string;

/** Every outcome: a revision whose requirements are not written yet has some that count for nothing. */
const tried = () => [...report.outcomes, ...report.unscored];

beforeAll(async () => {
  ({ report, apiKey } = await sampleReport());
});

test("no report holds a secret", () => {
  const texts = [htmlReport(report), junitReport(report), jsonReport(report), badgeReport(report)].join();
  expect(texts).toContain("AccountService.GetAccount");
  expect(texts).not.toContain(apiKey.slice(0, -1));
  expect(texts).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY-----\\n(?:MI|Mi)/);
});

test("where messages are signed, a report says that its commands are not, and how a case is sent again", () => {
  const said = "ledger-rpc conform --access 'access.json' --operation";
  expect(htmlReport({ ...report, messageSignatures: true })).toContain(said);
  expect(htmlReport(report)).not.toContain(said);
});

test("the page begins with the failures, and with the matrix where there are none", () => {
  const [failures, matrix] = ['id="cases-section"', 'id="matrix"'];
  const failing = htmlReport(report);
  expect(countsOf(report.outcomes).failed).toBeGreaterThan(0);
  expect(failing.indexOf(failures)).toBeLessThan(failing.indexOf(matrix));
  expect(failing.split(failures)).toHaveLength(2);
  const outcomes = report.outcomes.filter(({ status }) => status === "passed");
  const passing = htmlReport({ ...report, outcomes, unscored: [] });
  expect(passing.indexOf(failures)).toBeGreaterThan(passing.indexOf(matrix));
});

describe("JUnit XML", () => {
  test("is well-formed, whatever a service answers", () => {
    const tag = /<(?:\?xml|\/?[a-z]+)(?: [a-z]+="[^"<>]*")*\s*[?/]?>/g;
    const texts = junitReport(report).split(tag);
    expect(texts.length).toBeGreaterThan(tried().length);
    expect(texts.filter((text) => /[<>"]|&(?!amp;|lt;|gt;|quot;)/.test(text))).toEqual([]);
  });

  test("counts what it holds", () => {
    const xml = junitReport(report);
    const { failed, skipped } = countsOf(tried());
    const count = (part: string): number => xml.split(part).length - 1;
    expect(count("<testcase ")).toBe(tried().length);
    expect(count("<failure ")).toBe(failed);
    expect(count("<skipped ")).toBe(skipped);
    expect(xml).toContain(
      `<testsuites name="ledger ${report.revision} (document)" tests="${tried().length}" failures="${failed}"`,
    );
  });
});

test("JUnit XML counts operations that no case vouches for as failures", () => {
  const uncounted = "AccountService.GetSource";
  const xml = junitReport({ ...report, uncounted: [uncounted] });
  const { failed } = countsOf(tried());
  expect(xml).toContain(`tests="${tried().length + 1}" failures="${failed + 1}"`);
  expect(xml).toContain(`<testsuite name="${uncounted}" tests="1" failures="1"`);
});

test("JSON says its format and counts first", () => {
  const { format, counts, outcomes }: { format: number; counts: object; outcomes: readonly object[] } =
    JSON.parse(jsonReport(report));
  expect({ format, counts }).toEqual({ format: 1, counts: countsOf(tried()) });
  expect(outcomes).toHaveLength(report.outcomes.length);
});

test("a badge says how far a service conforms", () => {
  expect(badgeReport(report)).toMatch(
    new RegExp(String.raw`<title>ledger ${RegExp.escape(report.revision)}: [\d.]+ % of document</title>`),
  );
  const passed = report.outcomes.filter(({ status }) => status === "passed");
  const scored = { ...report, unscored: [], uncounted: [] };
  expect(badgeReport({ ...scored, outcomes: passed })).toContain("conforms (document)");
  const [good, bad] = ["passed", "failed"].map((status) =>
    report.outcomes.find((each) => each.status === status),
  );
  if (good === undefined || bad === undefined) throw new Error("the sample has both");
  for (const [share, color] of [
    [20, "#b26a00"],
    [18, "#c62828"],
  ] as const) {
    const outcomes = [...Array.from({ length: share - 1 }, () => good), bad];
    const text = badgeReport({ ...scored, outcomes });
    expect(text).toContain(`: ${Math.floor(((share - 1) / share) * 1000) / 10} % of document<`);
    expect(text).toContain(`fill="${color}"`);
  }
});
