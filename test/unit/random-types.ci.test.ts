import { expect, test } from "vitest";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
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

test("exactly one of several fits what is sent, not what becomes of it", async () => {
  const { value: model } = loadServiceModel("one", () => [
    sourceText(
      "one/spec.yaml",
      `interface: { name: one, wire: { protocol: json-rpc-2.0 } }
methods:
  take:
    payload:
      fields:
        - { name: digits, type: uuid|bigint|number, exactlyOne: true, optional: true }
        - { name: filled, type: Filled|Empty, exactlyOne: true, optional: true }
    result: boolean
types:
  Filled: { fields: [{ name: a, type: string, default: x }], closed: true }
  Empty: { fields: [], closed: true }
`,
    ),
  ]);
  if (model === undefined) throw new Error("the spec is refused");
  const { judged, differences } = await verdictsOn(model);
  expect(differences).toEqual([]);
  expect(judged).toBeGreaterThan(10);
});
