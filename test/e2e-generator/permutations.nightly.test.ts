import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { loadEmitters } from "../../generator/targets/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText, type SourceText } from "../../generator/language/source/index.ts";
import { repository } from "./project.ts";
import { fc, runs } from "../seed.ts";

const layout = {
  out: "generated/ledger",
  handlers: "handlers/ledger",
  contract: "runtime/contract/index.ts",
};
const files = globSync("spec/ledger/**/*.yaml", { cwd: repository });
const contents = files.map((path): unknown => parse(readFileSync(join(repository, path), "utf8")));

interface Definition {
  readonly section: string;
  /** Absent for what a section holds as a whole. */
  readonly name?: string;
  readonly value: unknown;
}

/** The definitions of the whole spec, each by itself: what a file may hold is any number of them. */
const definitions: readonly Definition[] = contents.flatMap((content) =>
  Object.entries(asMapping(content)).flatMap(([section, value]) =>
    section === "interface" ? [{ section, value }] : definitionsOf(section, value),
  ),
);

/** Which order, and which split into files: one number, so that a failure names it in few words. */
const permutation = fc.noShrink(fc.nat());

test("any order of keys, definitions and files gives the same bytes", async () => {
  const emitters = await loadEmitters();
  const draftsOf = (sources: readonly SourceText[]) => {
    const model = modelOf(sources);
    return emitters.flatMap((emitter) => emitter.emit(model, layout));
  };
  const expected = draftsOf(original());
  expect(expected.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(permutation, (seed) => {
      const drafts = draftsOf(permuted(seed));
      const different = drafts.filter(({ text }, at) => text !== expected[at]?.text).map(({ path }) => path);
      expect(different).toEqual([]);
      expect(drafts.length).toBe(expected.length);
    }),
    { numRuns: runs(3) },
  );
});

/** The same definitions over other files, under other names, with the keys of every mapping in another order. */
function permuted(seed: number): readonly SourceText[] {
  const next = randomNumbers(seed);
  const fileCount = 1 + (next() % 12);
  const split = new Map<string, Record<string, unknown>>();
  for (const { section, name, value } of shuffled(definitions, next)) {
    const path = `spec/ledger/${next() % fileCount}/x.yaml`;
    const file = split.get(path) ?? {};
    split.set(path, file);
    const content = shuffledKeys(value, next);
    file[section] = name === undefined ? content : { ...asMapping(file[section] ?? {}), [name]: content };
  }
  const indent = 1 + (next() % 4);
  return [...split].map(([path, content]) =>
    sourceText(path, stringify(shuffledKeys(content, next), { indent })),
  );
}

function definitionsOf(section: string, value: unknown): readonly Definition[] {
  return Object.entries(asMapping(value)).map(([name, definition]) => ({ section, name, value: definition }));
}

function original(): readonly SourceText[] {
  return files.map((path) => sourceText(path, readFileSync(join(repository, path), "utf8")));
}

function modelOf(sources: readonly SourceText[]): ServiceModel {
  const { value, diagnostics } = loadServiceModel("spec/ledger", () => sources);
  if (value === undefined)
    throw new Error(JSON.stringify(diagnostics.map(({ code, message }) => `${code}: ${message}`)));
  return value;
}

function shuffledKeys(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffledKeys(item, next));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, shuffledKeys(item, next)] as const);
  return Object.fromEntries(shuffled(entries, next));
}

function shuffled<T>(items: readonly T[], next: () => number): readonly T[] {
  const ranked = items.map((item) => ({ item, rank: next() }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** Numbers below 2^32 that follow from a seed (xorshift). */
function randomNumbers(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state;
  };
}

function asMapping(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not a mapping");
  return Object.fromEntries(Object.entries(value));
}
