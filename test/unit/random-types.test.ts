import { expect, test } from "vitest";
import { verdictsOn } from "../vectors/one-verdict.ts";
import { randomModels } from "../vectors/random-types.ts";

test("values of random types get one verdict from validators, zod, Ajv and the reference check", async () => {
  const [model] = randomModels(1, 6);
  if (model === undefined) throw new Error("no spec was drawn");
  const { judged, fitting, differences } = await verdictsOn(model);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(fitting).toBeGreaterThan(50);
  expect(judged).toBeGreaterThan(500);
});
