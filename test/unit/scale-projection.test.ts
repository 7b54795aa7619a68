import { expect, test } from "vitest";
import { assumptions } from "../../bench/scale/assumptions.ts";
import { chartOf } from "../../bench/scale/chart.ts";
import { clusterShares, institutionShares, project } from "../../bench/scale/model.ts";

const small = { ...assumptions, callsPerSecond: 2_000, institutions: 200, seconds: 1 };

test("the same seed gives the same projection, another seed another", () => {
  expect(project(small, 2)).toEqual(project(small, 2));
  expect(project({ ...small, seed: 2 }, 2)).not.toEqual(project(small, 2));
});

test("institutions are placed whole, and no cluster gets much more than its part", () => {
  const shares = institutionShares(small);
  const clusters = clusterShares(shares, 8);
  expect(clusters.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  expect(Math.max(...clusters)).toBeLessThan(Math.max(shares[0] ?? 0, 1.05 / 8));
});

test("more calls than the cores can take wait longer and are answered less", () => {
  const roomy = project({ ...small, callsPerSecond: 1_000 }, 1);
  const full = project({ ...small, callsPerSecond: 40_000 }, 1);
  expect(roomy.busiestService).toBeLessThan(0.2);
  expect(full.busiestService).toBeGreaterThan(1);
  expect(full.p99Ms).toBeGreaterThan(10 * roomy.p99Ms);
  expect(roomy.answeredPerSecond / 1_000).toBeGreaterThan(0.9);
  expect(full.answeredPerSecond / 40_000).toBeLessThan(0.9);
});

test("the chart is one SVG that names nothing elsewhere", () => {
  const chart = chartOf([project(small, 1), project(small, 2)]);
  expect(chart).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*<\/svg>\n$/);
  expect(chart).not.toMatch(/href|NaN|Infinity|undefined/);
});
