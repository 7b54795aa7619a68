import { expect, test } from "vitest";
import { readResponse, resultOf } from "../../conformance/response/read-response.ts";
import { problemsOf } from "../../conformance/values/index.ts";
import type { MethodEntry } from "../../conformance/suite/suite.ts";
import type { ObjectTypeShape, Shape } from "../../generator/model/index.ts";
import { instanceOf } from "../../conformance/samples/index.ts";
import { scalarSamples } from "../../conformance/samples/scalar-samples.ts";
import { requestReading } from "../../generator/targets/conformance/suite-of.ts";
import { field, libraryModel, namedType, object } from "./emit-library-model.ts";

test("of a group, a sample has a field whose value ends, not one of the type that it stands in", () => {
  const self: Shape = { kind: "ref", type: "Node" };
  const node: ObjectTypeShape = {
    ...object([
      field("parent", self, { presence: { kind: "optional" } }),
      field("name", { kind: "string" }, { presence: { kind: "optional" } }),
    ]),
    atLeastOneOf: [["parent", "name"]],
  };
  const model = libraryModel({ types: [namedType("Node", node)] });
  const [method] = model.methods;
  if (method === undefined) throw new Error("a library has methods");
  const sample = instanceOf(self, "minimal", requestReading(method, model));
  expect(Object.keys(Object(sample))).toEqual(["name"]);
});

test("where exactly one alternative may fit, a sample fits no second one", () => {
  const text = (name: string) => field(name, { kind: "string" });
  const whole = object([text("hash"), text("parent")]);
  const part = object([text("parent")]);
  const model = libraryModel();
  const [method] = model.methods;
  if (method === undefined) throw new Error("a library has methods");
  const shape: Shape = { kind: "union", alternatives: [whole, part], exactlyOne: true };
  for (const fullness of ["minimal", "maximal"] as const)
    expect(Object.keys(Object(instanceOf(shape, fullness, requestReading(method, model))))).toEqual([
      "parent",
    ]);
});

test("where nothing is required, a sample of exactly one alternative is wrong in the others", () => {
  const text = (name: string) => field(name, { kind: "string" }, { presence: { kind: "optional" } });
  const model = libraryModel();
  const [method] = model.methods;
  if (method === undefined) throw new Error("a library has methods");
  const reading = requestReading(method, model);
  const alternatives = [object([text("address")]), object([text("key")])];
  const sample = instanceOf({ kind: "union", alternatives, exactlyOne: true }, "maximal", reading);
  expect(alternatives.map((each) => problemsOf(each, sample, reading).length)).toEqual([0, 1]);
});

test.each([
  ["required", "{}", undefined],
  ["optional", "{}", {}],
  ["optional", '{"code":"BAD"}', undefined],
] as const)("a flat result of one %s field and the answer %s", (kind, body, expected) => {
  const shape = { kind: "string" } as const;
  const method: MethodEntry = {
    name: "Flat",
    decisions: [],
    effect: "read",
    transport: { kind: "flat", selectedBy: ["a"] },
    payload: { kind: "single", shape: { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] } },
    result: {
      kind: "object",
      fields: [{ name: "x", shape, presence: { kind }, spellings: [], decisions: [] }],
      atLeastOneOf: [],
      exactlyOneOf: [],
    },
    errors: [],
    bases: {},
  };
  const answer = readResponse({ status: 200, headers: {}, body: Buffer.from(body), ms: 1 });
  expect(resultOf(answer, method)).toEqual(expected);
});

test("a sample of an enum is found without a look at each value for each value", () => {
  let reads = 0;
  const values = Array.from({ length: 1_000 }, (_, at) => ({
    get value() {
      reads += 1;
      return `v${at}`;
    },
  }));
  const reading = { direction: "request", resolve: () => ({ kind: "enum", values }) as const } as const;
  expect(scalarSamples({ kind: "ref", type: "Big" }, 1, reading)).toEqual(["v0"]);
  expect(scalarSamples({ kind: "ref", type: "Big" }, 1_000, reading)).toHaveLength(1_000);
  expect(reads).toBeLessThan(10_000);
});
