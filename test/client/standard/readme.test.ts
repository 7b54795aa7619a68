import { expect, test } from "vitest";
import { emitter } from "../../../generator/targets/client/index.ts";
import { loadServiceModel } from "../../../generator/model/build-model.ts";
import { sourceText } from "../../../generator/language/source/index.ts";

const spec = `
interface: { name: quotes, wire: { protocol: json-rpc-2.0 } }
types:
  Leg: { fields: [{ name: price, type: number, minimum: 1 }, { name: note, type: string, optional: true }] }
methods:
  candles:
    effect: read
    payload: { fields: [{ name: symbol, type: string, pattern: "^[A-Z]{4}$" }, { name: qty, type: bigint }, { name: legs, type: array of Leg, minItems: 1 }] }
    result: number
errors:
  HALTED: { code: 7001, message: Halted, everyMethod: true }
`;

test("the front page calls a method without examples with a payload that compiles", () => {
  const { value: model } = loadServiceModel("spec", () => [sourceText("spec/quotes.yaml", spec)]);
  if (model === undefined) throw new Error("the spec does not load");
  const files = emitter.emit(model, { out: "generated", handlers: "handlers", contract: "contract" });
  const page = files.find(({ path }) => path.endsWith("client/README.md"))?.text ?? "";
  expect(page).toContain(
    'console.log(await client.candles({ symbol: "AAAA", qty: 1n, legs: [{ price: 1 }] }));',
  );
  expect(page).not.toContain("({})");
});
