import { expect, test } from "vitest";
import { scalarSample } from "../../conformance/samples/scalar-samples.ts";
import type { StringShape } from "../../generator/model/index.ts";

test("a pattern with a length beside it has a sample: the pattern's own characters count", () => {
  const shape: StringShape = { kind: "string", pattern: "^0x[a-f\\d]+$", lengthMin: 68, lengthMax: 68 };
  expect(scalarSample(shape, { direction: "request", resolve: () => shape })).toMatch(/^0x[a-f\d]{66}$/);
});
