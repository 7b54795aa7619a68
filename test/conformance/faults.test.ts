import { expect, test } from "vitest";
import { layers } from "../faults/fault.ts";
import { faults } from "../faults/faults/index.ts";
import { missedWithReason } from "../faults/missed.ts";
import { caughtOf, publishedScore, readScore, scoreLine, shareMin } from "../faults/score.ts";
import { missedOf } from "./sampled-faults.ts";

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

/** The others have their turn in `faults.slow.test.ts`. */
const sampled = ["signature-skipped", "status-not-kept", "status-event-missing"];

test("a fault is caught again by the case that caught it last, and the case holds without it", async () => {
  expect(await missedOf(sampled)).toEqual([]);
});
