import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { layers } from "../faults/fault.ts";
import { faults } from "../faults/faults/index.ts";
import { breakingDocument } from "../faults/faults/document.ts";
import { firstContacts } from "../faults/first-contact.ts";
import { seams } from "../faults/seams.ts";
import { missedByCallerAlone, missedWithReason } from "../faults/missed.ts";
import { caughtOf, measurements, publishedScore, readScore, scoreLine, shareMin } from "../faults/score.ts";

const ids = faults.map(({ id }) => id);
const score = readScore("all-strict-operator");

test("at least 250 faults have a switch each, in every layer", () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(250);
  for (const layer of layers)
    expect(
      faults.some((fault) => fault.layer === layer),
      layer,
    ).toBe(true);
});

test("every fault changes a port or a seam", () => {
  for (const { id, layer: _layer, description, ...seams } of faults) {
    expect(Object.values(seams).filter((seam) => typeof seam === "function").length, id).toBeGreaterThan(0);
    expect(description, id).toMatch(/\.$/);
  }
});

test("pipelines and delivery are made where seams replace them", () => {
  const root = join(import.meta.dirname, "../..");
  const made = /import \{[^}]*\b(?:createPipeline|startEventDelivery)\b[^}]*\} from "([^"]+)"/g;
  const makers = globSync("{ledger,runtime}/**/*.ts", { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(made)].map(([, from = ""]) => {
      return { path, from: pathToFileURL(join(root, dirname(path), from)).href };
    }),
  );
  for (const { path } of makers) expect(path).toMatch(/^runtime\/server\/[^/]+$/);
  // Where a module has moved and its seam stayed behind, every fault is one that nobody can find.
  expect(makers.map(({ from }) => from).toSorted()).toEqual([...seams.keys()].toSorted());
});

test("every fault was tried: npm run conform:score", () => {
  expect(Object.keys(score).toSorted()).toEqual(ids.toSorted());
});

test("97 of 100 faults are caught, and each missed one has a reason", () => {
  expect(caughtOf(faults, score).length).toBeGreaterThanOrEqual(shareMin * faults.length);
  const missed = faults.filter(({ id }) => score[id] === null).map(({ id }) => id);
  expect(missed.toSorted()).toEqual(Object.keys(missedWithReason).toSorted());
});

test.each(measurements)("README.md or docs/internals/fault-scores.md has the score %s", (measured) => {
  const computed = readScore(measured);
  if (Object.keys(computed).length > 0) expect(publishedScore(measured)).toBe(scoreLine(faults, computed));
});

test("95 of 100 faults that break the document are caught without operator and mails", () => {
  const ofDocument = faults.filter(({ id }) => breakingDocument.includes(id));
  const computed = readScore("document");
  expect(Object.keys(computed).toSorted()).toEqual(ofDocument.map(({ id }) => id).toSorted());
  expect(caughtOf(ofDocument, computed).length).toBeGreaterThanOrEqual(0.95 * ofDocument.length);
  const missed = ofDocument.filter(({ id }) => computed[id] === null).map(({ id }) => id);
  expect(missed.toSorted()).toEqual(Object.keys(missedByCallerAlone).toSorted());
});

test("docs/internals/fault-scores.md has the scores before tuning", () => {
  const guide = readFileSync(new URL("../../docs/internals/fault-scores.md", import.meta.url), "utf8");
  for (const { caught, of } of firstContacts) expect(guide).toContain(`${caught} of ${of}`);
});
