import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countsOf, textReport, type Case, type RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { startLibrary, type LibraryService } from "./library-service.ts";
import { librarySuite } from "./library-suite.ts";

let service: LibraryService;

beforeAll(async () => {
  service = await startLibrary();
});
afterAll(() => service.close());

const common = {
  id: "BookService.AddBook/payload/broken",
  method: "BookService.AddBook",
  title: "broken on purpose",
  level: "document",
  origin: ["1"],
} as const;
const wrong = { kind: "error", codes: ["BAD_INPUT"] } as const;
const base = "minimal";

/** A case that says something else than what it sends. */
const broken: readonly (readonly [string, Pick<Case, "request" | "expect">, RegExp])[] = [
  [
    "asks for a refusal of what is right",
    { request: { base, edits: [{ op: "set", at: "/Title", value: "A title" }] }, expect: wrong },
    /^the payload is right$/,
  ],
  [
    "asks for a result where a field is missing",
    { request: { base, edits: [{ op: "omit", at: "/Title" }] }, expect: { kind: "result" } },
    /^the payload is wrong: \/Title should be /,
  ],
  [
    "asks for a result where a value is none of an enum",
    { request: { payload: { Title: "A title", shelf: "EAST" } }, expect: { kind: "result" } },
    /^the payload is wrong: \/shelf should be /,
  ],
  [
    "asks for a result where a field is there twice",
    { request: { payload: { Title: "A title", title: "B", shelf: "NORTH" } }, expect: { kind: "result" } },
    /^the payload is wrong: \/Title should be there once$/,
  ],
  [
    "asks for a result of what is signed over something else",
    { request: { base, signature: { over: "other" } }, expect: { kind: "result" } },
    /^the signature is not over the payload$/,
  ],
  [
    "asks for a refusal of a signature that is right",
    { request: { base, signature: { over: "bytes" } }, expect: { kind: "error", codes: ["BAD_SIGNATURE"] } },
    /^the signature is right$/,
  ],
  [
    "asks for an error that comes after what is wrong",
    {
      request: { base, edits: [{ op: "omit", at: "/shelf" }] },
      expect: { kind: "error", codes: ["NO_BOOK"] },
    },
    /^the payload is wrong at \/shelf, which is answered first$/,
  ],
];

async function run(cases: readonly Case[]): Promise<{ readonly report: RunReport; readonly sent: string[] }> {
  const sent: string[] = [];
  const report = await conform({
    suite: librarySuite.suite,
    cases,
    access: service.access,
    baseUrl: service.baseUrl,
    explore: { runs: 0 },
    onExchange: ({ body }) => sent.push(body.toString()),
  });
  return { report, sent };
}

describe("a case that is wrong itself", () => {
  test.each(broken)("%s: it is not sent, and is the suite's fault", async (_what, plan, reason) => {
    const before = (await run([])).sent.length;
    const { report, sent } = await run([{ ...common, ...plan }]);
    expect(sent).toHaveLength(before);
    expect(report.outcomes).toMatchObject([{ id: common.id, status: "broken", exchanges: [] }]);
    expect(report.outcomes[0]?.reason).toMatch(reason);
    expect(countsOf(report.outcomes)).toEqual({ passed: 0, failed: 0, skipped: 0, broken: 1 });
    const paint = { bold: same, dim: same, red: same, green: same, yellow: same };
    expect(textReport(report, { paint, failuresMax: 1 })).toContain(
      "a fault of the suite, not of the service",
    );
  });

  test("is none of those that the generator makes, sent once more to a service that answers them all", async () => {
    const { report } = await run(librarySuite.cases);
    expect(report.outcomes.length).toBeGreaterThan(100);
    expect(report.outcomes.filter(({ status }) => status === "broken")).toEqual([]);
  });
});

function same(text: string): string {
  return text;
}
