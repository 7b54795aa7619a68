import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Level, LoadedSuite, RunReport } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { runAtOnce } from "../../conformance/scenario/run-scenario.ts";
import { startLibrary, type LibraryService } from "./library-service.ts";
import { librarySuite, suiteOf } from "./library-suite.ts";
import { startProxy } from "./proxy.ts";

const library = readFileSync(join(import.meta.dirname, "library.yaml"), "utf8");
let service: LibraryService;

beforeAll(async () => {
  service = await startLibrary();
});
afterAll(() => service.close());

/** The library with one scenario of the steps. */
function withSteps(steps: string): LoadedSuite {
  const scenario = `  tried:\n    doc: Something holds.\n    section: "4"\n    steps:\n${steps.replaceAll(/^/gm, "      ")}`;
  return suiteOf(`${library.trimEnd()}\nscenarios:\n${scenario}\n`);
}

async function tried(
  loaded: LoadedSuite,
  level: Level,
  only = "scenario/tried",
  baseUrl = service.baseUrl,
): Promise<RunReport> {
  const { access } = service;
  return await conform({
    ...loaded,
    access,
    baseUrl,
    level,
    only: [only],
    seed: 1,
    explore: { runs: 0 },
  });
}

async function statusOf(steps: string, level: Level): Promise<string | undefined> {
  const { outcomes, unscored } = await tried(withSteps(steps), level);
  return [...outcomes, ...unscored].find(({ id }) => id === "scenario/tried")?.status;
}

const absentBook = `{ call: BookService.GetBook, payload: { id: none }, level: decisions }`;
const addedBook = `{ call: BookService.AddBook, payload: { Title: "T{{unique}}", shelf: NORTH }, as: added }`;
const readBack = `{ call: BookService.GetBook, payload: { id: "{{added.id}}" } }`;

test("a scenario that ends at its first step beyond the level is skipped, not passed", async () => {
  expect(await statusOf(`- ${absentBook}\n- ${addedBook}`, "document")).toBe("skipped");
  expect(await statusOf(`- ${absentBook}\n- ${addedBook}`, "decisions")).toBe("failed");
  expect(await statusOf(`- ${addedBook}\n- ${absentBook}`, "document")).toBe("passed");
  expect(await statusOf(`- ${addedBook}\n- ${readBack}`, "document")).toBe("passed");
});

test("a result where an error was asked for beyond the level can still be checked", async () => {
  const given = (title: string) =>
    [
      `- ${addedBook}`,
      `- each:`,
      `    name: id`,
      `    in: ["{{added.id}}"]`,
      `    steps:`,
      `      - { call: BookService.GetBook, payload: { id: "{{id}}" }, level: decisions, error: NOT_FOUND_BOOK, as: found }`,
      `- { check: [{ actual: ["{{found}}"], expected: { $lacks: { book: { title: ${title} } } } }] }`,
    ].join("\n");
  expect(await statusOf(given(`"T{{unique}}"`), "document")).toBe("failed");
  expect(await statusOf(given("Another"), "document")).toBe("passed");
});

test("steps at once have all begun before any has to end", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await runAtOnce([() => promise, async () => resolve()]);
  const ended: string[] = [];
  const failing = runAtOnce([
    () => Promise.reject(new Error("first")),
    async () => {
      ended.push("second");
    },
  ]);
  await expect(failing).rejects.toThrow("first");
  expect(ended).toEqual(["second"]);
});

test("an event and a mail may take as long as the run allows", async () => {
  const loaded = withSteps("- { receiver: hook }\n- { event: { at: hook, name: Book.ADDED } }");
  const { access, baseUrl } = service;
  const run = { ...loaded, access, baseUrl, only: ["scenario/tried"], explore: { runs: 0 } };
  const { outcomes } = await conform({ ...run, eventTimeoutMs: 1 });
  expect(outcomes.find(({ id }) => id === "scenario/tried")?.findings).toMatchObject([
    { expected: expect.stringMatching(/^an event like .* within 0\.001 s$/), found: "none" },
  ]);
});

test("steps at once count as each of them does", async () => {
  const both = (one: string, other: string) => `- atOnce:\n    - ${one}\n    - ${other}\n- ${readBack}`;
  expect(await statusOf(both(addedBook, `{ check: [{ actual: 1, expected: 1 }] }`), "document")).toBe(
    "passed",
  );
  expect(await statusOf(both(addedBook, `{ check: [{ actual: 1, expected: 2 }] }`), "document")).toBe(
    "failed",
  );
  expect(await statusOf(both(addedBook, absentBook), "document")).toBe("skipped");
  expect(await statusOf(both(addedBook, absentBook), "decisions")).toBe("failed");
});

test("the former names of steps mean what the present ones mean", () => {
  const stepsOf = (steps: string) => withSteps(steps).suite.scenarios[0]?.steps;
  const present = `- ${addedBook}\n- { repeat: added, as: same }\n- { check: [{ actual: "{{same}}", expected: { $same: "{{added}}" } }] }\n- { operatorCall: Audit, as: audit }\n- { noEvent: { at: inbox } }`;
  const former = `- ${addedBook}\n- { again: added, as: same }\n- { check: [{ that: "{{same}}", is: { $same: "{{added}}" } }] }\n- { operate: Audit, as: audit }\n- { quiet: { at: inbox } }`;
  expect(stepsOf(former)).toEqual(stepsOf(present));
  expect(stepsOf(present)?.map(({ kind }) => kind)).toEqual([
    "call",
    "repeat",
    "check",
    "operatorCall",
    "noEvent",
  ]);
});

test("an interface without reads is tried all the same", async () => {
  const { suite, cases } = librarySuite;
  const methods = suite.methods.filter(({ name }) => name === "BookService.AddBook");
  const loaded = {
    suite: { ...suite, methods },
    cases: cases.filter(({ id }) => /AddBook\/payload/.test(id)),
  };
  const { outcomes, unscored } = await tried(loaded, "document", "BookService.AddBook");
  expect(outcomes.filter(({ id }) => id.includes("contact"))).toEqual([]);
  expect([...outcomes, ...unscored].filter(({ status }) => status === "passed").length).toBeGreaterThan(3);
});

test("members that a service adds of its own are compared below strict with nothing", async () => {
  let count = 0;
  const body = (plain: Buffer) =>
    Buffer.from(plain.toString().replace(/"book":\s*\{/, (found) => `${found}"servedAt":${(count += 1)},`));
  const proxy = await startProxy(service.baseUrl, { body });
  const again = `{ call: BookService.GetBook, payload: { id: "{{added.id}}" }, as: one }`;
  const loaded = withSteps(
    `- ${addedBook}\n- ${again}\n- { call: BookService.GetBook, payload: { id: "{{added.id}}" }, expect: { $same: "{{one}}" } }`,
  );
  const statusAt = async (level: Level) => {
    const { outcomes, unscored } = await tried(loaded, level, "scenario/tried", proxy.baseUrl);
    return [...outcomes, ...unscored].find(({ id }) => id === "scenario/tried")?.status;
  };
  try {
    expect([await statusAt("document"), await statusAt("decisions"), await statusAt("strict")]).toEqual([
      "passed",
      "passed",
      "failed",
    ]);
  } finally {
    await proxy.stop();
  }
});

test("a step beyond the level may be refused; a result that it gets has to be right", async () => {
  const body = (plain: Buffer) => Buffer.from(plain.toString().replace('"id":"007"', '"id":"7"'));
  const proxy = await startProxy(service.baseUrl, { body });
  const loaded = withSteps(
    `- ${addedBook}\n- { call: BookService.GetBook, payload: { id: "{{added.id}}" }, id: "007", level: decisions }`,
  );
  const findingsBy = async (baseUrl?: string) => {
    const { outcomes, unscored } = await tried(loaded, "document", "scenario/tried", baseUrl);
    const own = [...outcomes, ...unscored].find(({ id }) => id === "scenario/tried");
    return [own?.status, ...(own?.findings.map(({ check, level }) => ({ check, level })) ?? [])];
  };
  try {
    expect(await findingsBy(proxy.baseUrl)).toEqual(["failed", { check: "id", level: "document" }]);
    expect(await findingsBy()).toEqual(["passed"]);
  } finally {
    await proxy.stop();
  }
});
