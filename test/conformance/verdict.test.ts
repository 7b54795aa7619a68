import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { runConform, type ConformOptions } from "../../conformance/index.ts";
import { startLibrary, type LibraryFault, type LibraryService } from "./library-service.ts";
import { librarySuite } from "./library-suite.ts";
import { patienceMs } from "../until.ts";

const operations = ["AddBook", "GetBook", "SetStatus", "FindBooks"].map((name) => `BookService.${name}`);
const rules = ["creates", "reads", "changes", "lists", "transitions"].map((name) => `exploration/${name}`);
/** Cases that the library without faults passes. */
const allExamples = librarySuite.cases
  .map(({ id }) => id)
  .filter(
    (id) =>
      /(?:AddBook|FindBooks)\/payload\/(?:minimal|maximal)$/.test(id) || id.endsWith("/payload/id/empty"),
  );
const plain = { bold: same, dim: same, red: same, green: same, yellow: same };
let folder: string;
let library: LibraryService;

function same(text: string): string {
  return text;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verdict-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  library = await startLibrary();
});
afterEach(() => library.close());

/**
 * Runs the library with a suite whose requirements have some cases, by default with the cases that it passes. Returns
 * the exit code and the output.
 */
async function tried(
  counted: readonly string[],
  options: Partial<ConformOptions> = {},
  { access, baseUrl }: LibraryService = library,
) {
  const { suite } = librarySuite;
  const requirement = { id: "1-1", sentence: "Lends books.", section: "1", decisions: [], cases: counted };
  writeFileSync(join(folder, "suite.json"), JSON.stringify({ ...suite, requirements: [requirement] }));
  writeFileSync(join(folder, "cases.jsonl"), "");
  writeFileSync(join(folder, "access.json"), JSON.stringify(access));
  const printed: string[] = [];
  const print = (text: string): number => printed.push(text);
  const fixed = {
    level: "decisions",
    failures: 20,
    timeout: patienceMs,
    eventTimeout: patienceMs,
    concurrency: 4,
    errors: "ok",
  } as const;
  const code = await runConform(
    folder,
    {
      access: join(folder, "access.json"),
      baseUrl,
      callbackPort: 0,
      explore: 3,
      seed: 1,
      operation: [...allExamples, ...rules],
      ...fixed,
      ...options,
    },
    { print, note: print, progress: () => {}, isLive: false, color: plain },
  );
  return { code, text: printed.join("\n") };
}

test("a service conforms where every operation has a case that counts, and all hold", async () => {
  const { code, text } = await tried([...allExamples, ...rules]);
  expect({ code, text }).toEqual({ code: 0, text: expect.stringMatching(/\nconforms at level decisions$/) });
});

test("an operation without a case that counts fails the run", async () => {
  const counted = allExamples.filter((id) => !id.startsWith("BookService.FindBooks/"));
  const { code, text } = await tried([...counted, ...rules], {
    operation: ["BookService.FindBooks", ...counted],
  });
  expect(code).toBe(1);
  expect(text).toContain("does not conform: no case counts for BookService.FindBooks");
  const others = await tried([...counted, ...rules], { operation: ["BookService.GetBook"] });
  expect(others.code).toBe(0);
});

test("a failure of a case that belongs to no requirement fails the run", async () => {
  const fault: LibraryFault = "change-lost";
  const faulty = await startLibrary(fault);
  try {
    const counted = [...allExamples, "exploration/creates"];
    const { code, text } = await tried(counted, { explore: 10 }, faulty);
    expect(code).toBe(1);
    expect(text).toMatch(/does not conform: \d+ failed that belong to no requirement yet/);
  } finally {
    faulty.close();
  }
});

test.each([
  ["BookService.GetBok", "BookService.GetBook"],
  ["BookService.AddBook/payload/minimum", "BookService.AddBook/payload/minimal"],
  ["exploration/create-s", "exploration/creates"],
])("%s is not there: exit code 2, and the name that was probably meant", async (asked, meant) => {
  const { code, text } = await tried(allExamples, { operation: [asked] });
  expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining(`did you mean ${meant}?`) });
});

test("a run in which nothing was tried is no success", async () => {
  const { code, text } = await tried(allExamples, { operation: ["exploration/invisible"], explore: 1 });
  expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining("no verdict: no case was tried") });
});

test("the four operations of the library are those of its suite", () => {
  expect(librarySuite.suite.methods.map(({ name }) => name).toSorted()).toEqual(operations.toSorted());
});
