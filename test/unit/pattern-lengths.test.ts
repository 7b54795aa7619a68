import { expect, test } from "vitest";
import { scalarCandidates, scalarSample } from "../../conformance/samples/scalar-samples.ts";
import type { StringShape } from "../../generator/model/index.ts";

test("a pattern with a length beside it has a sample: the pattern's own characters count", () => {
  const shape: StringShape = { kind: "string", pattern: "^0x[a-f\\d]+$", lengthMin: 68, lengthMax: 68 };
  expect(scalarSample(shape, { direction: "request", resolve: () => shape })).toMatch(/^0x[a-f\d]{66}$/);
});

test("no sample is longer than a request, however often parts may repeat", () => {
  const most = 1_000_000_000;
  for (const pattern of ["^(?:(?:a*b)*c)*$", "^(?:(?:a{0,9999}b){0,9999}c)*$", "^a{10000000}$", undefined]) {
    const shape: StringShape = { kind: "string", lengthMax: most, ...(pattern && { pattern }) };
    const reading = { direction: "request", resolve: () => shape } as const;
    const texts = scalarCandidates(shape, reading).map(({ value }) => String(value).length);
    expect(Math.max(...texts)).toBeLessThan(2_000_000);
    expect(String(scalarSample(shape, reading)).length).toBeLessThan(2_000_000);
  }
});
