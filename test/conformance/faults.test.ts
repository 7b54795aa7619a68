import { expect, test } from "vitest";
import { inParallel } from "../../conformance/index.ts";
import { layers } from "../faults/fault.ts";
import { faults } from "../faults/faults/index.ts";
import { missedWithReason } from "../faults/missed.ts";
import { caughtOf, publishedScore, readScore, scoreLine, shareMin } from "../faults/score.ts";
import { complaints, runSound, tryFault } from "../faults/try-fault.ts";

const ids = faults.map(({ id }) => id);
const score = readScore("strict");

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

test("every fault was tried: npm run conform:score", () => {
  expect(Object.keys(score).toSorted()).toEqual(ids.toSorted());
});

test("97 of 100 faults are caught, and each missed one has a reason", () => {
  expect(caughtOf(faults, score).length).toBeGreaterThanOrEqual(shareMin * faults.length);
  const missed = faults.filter(({ id }) => score[id] === null).map(({ id }) => id);
  expect(missed.toSorted()).toEqual(Object.keys(missedWithReason).toSorted());
});

test("the README has the score", () => {
  expect(publishedScore("strict")).toBe(scoreLine(faults, score));
});

const sampled = [
  "no-revision",
  "trailing-bytes",
  "signature-skipped",
  "scopes-ignored",
  "required-ignored",
  "amounts-as-text",
  "status-not-kept",
  "and-binds-tighter",
  "newest-first",
  "status-event-missing",
  "portal-mail-to-customer",
];

/** One of each layer, and the case by which it was last caught. */
const sample = layers.flatMap((layer) => {
  const fault = faults.find(({ id, layer: own }) => own === layer && sampled.includes(id));
  const first = fault === undefined ? undefined : score[fault.id];
  return fault === undefined || typeof first !== "string" ? [] : [{ fault, first }];
});

test("a fault of each layer is caught again, by a case that holds without it", async () => {
  expect(sample).toHaveLength(layers.length);
  const cases = new Set(sample.map(({ first }) => first));
  const options = { level: "strict", seed: 1 } as const;
  expect(complaints(await runSound(options, (id) => cases.has(id)))).toEqual([]);
  const missed: string[] = [];
  await inParallel(sample, 2, async ({ fault, first }) => {
    const { by } = await tryFault(fault, { ...options, failuresMax: 1, first, onlyFirst: true });
    if (by.length === 0) missed.push(fault.id);
  });
  expect(missed).toEqual([]);
});
