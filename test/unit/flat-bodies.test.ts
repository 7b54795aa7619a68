import { describe, expect, test } from "vitest";
import { loadServiceModel, methodsAsTried, type ServiceModel } from "../../generator/model/index.ts";
import { emitter as methods } from "../../generator/targets/methods/index.ts";
import type { SignedInterfaceDescriptor, MethodDescriptor } from "../../runtime/contract/index.ts";
import { flatMethodsOf, selectedMethod, unselected } from "../../runtime/protocol/signed-envelope/decode.ts";
import { suiteFrom } from "../conformance/library-suite.ts";
import { baseProject, readerOf } from "./diagnostics-cases.ts";
import { formatted, libraryLayout } from "./emit-library-model.ts";

/** A flat operation of one required field besides those given. */
function operation(name: string, section: string, selectedBy: string, fields: string): string {
  return `
  ${name}:
    doc: An operation.
    section: "${section}"
    effect: read
    flat: { selectedBy: [${selectedBy}] }
    payload: { fields: [${fields}] }
    result: { fields: [] }`;
}

const subscribe = operation(
  "Subscribe",
  "4.2",
  "operation",
  "{ name: operation, type: string, const: subscribe, doc: Which. }",
);
const unsubscribe = operation(
  "Unsubscribe",
  "4.3",
  "operation",
  "{ name: Operation, type: string, const: unsubscribe, doc: Which. }",
).replace("[operation]", "[Operation]");
const byName = operation("FindByName", "4.4", "id", "{ name: id, type: string, doc: Which. }");
const byNumber = operation("FindByNumber", "4.5", "id", "{ name: id, type: integer, doc: Which. }");
const byList = operation(
  "FindAll",
  "4.6",
  "ids",
  "{ name: id, type: array of string, doc: Which. }, { name: ids, type: string, doc: Which. }",
);

const all = subscribe + unsubscribe + byName + byNumber + byList;

test("a field selects several operations, each by values of its own", () => {
  const only = modelOf(all).methods.flatMap(({ name, transport }) =>
    transport.kind === "flat" ? [[name, transport.only]] : [],
  );
  expect(Object.fromEntries(only)).toEqual({
    Subscribe: { operation: { oneOf: ["subscribe"] } },
    Unsubscribe: { Operation: { oneOf: ["unsubscribe"] } },
    FindByName: { id: { type: "string" } },
    FindByNumber: { id: { type: "number" } },
    FindAll: undefined,
  });
});

test("what the runtime reads says so", async () => {
  const [draft] = methods.emit(modelOf(all), libraryLayout);
  expect(await formatted(draft)).toContain(
    'transport: { kind: "flat", selectedBy: ["operation"], only: { operation: { oneOf: ["subscribe"] } } },',
  );
});

test.each([
  ["the same values", subscribe + subscribe.replace("Subscribe", "Again")],
  ["one of the values of an enum", subscribe + unsubscribe.replace("string, const: unsubscribe", "string")],
  ["the same type", byName + byNumber.replace("integer", "date")],
])("a field with %s in two operations selects one of them only", (_, spec) => {
  expect(loaded(spec).diagnostics.map(({ code }) => code)).toContain("flat-selectors-overlap");
});

test("an operation whose every body is an earlier one is refused, unless a value tells them apart", () => {
  const text = byList.replace("array of string", "string");
  expect(loaded(byName + byList).diagnostics).toEqual([]);
  expect(loaded(byName + text).diagnostics.map(({ code }) => code)).toEqual(["flat-body-taken"]);
});

test("of operations that a body may be, `order` says which it is", async () => {
  const find = operation("FindById", "4.1", "id", "{ name: id, type: string, doc: Which. }");
  const mark = operation(
    "Mark",
    "4.2",
    "mark",
    "{ name: id, type: string, doc: Which. }, { name: mark, type: string, doc: What. }",
  );
  expect(loaded(find + mark).diagnostics.map(({ code }) => code)).toEqual(["flat-body-taken"]);
  const model = modelOf(find + mark.replace("[mark]", "[mark], order: 1"));
  const body = { id: "7", mark: "x" };
  expect(selectedMethod(body, flatMethodsOf(descriptorOf(model)))?.name).toBe("Mark");
  const [draft] = methods.emit(model, libraryLayout);
  expect((await formatted(draft)).match(/(?<=name: ")(?:Mark|FindById)/g)).toEqual(["Mark", "FindById"]);
});

describe("a flat body", () => {
  const flat = flatMethodsOf(descriptorOf(modelOf(all)));

  test.each([
    [{ operation: "subscribe" }, "Subscribe"],
    [{ OPERATION: "unsubscribe" }, "Unsubscribe"],
    [{ id: "7" }, "FindByName"],
    [{ id: 7 }, "FindByNumber"],
    [{ ID: 7.5 }, "FindByNumber"],
    [{ id: ["7"], ids: "x" }, "FindAll"],
    [{ id: null }, undefined],
    [{ id: true }, undefined],
    [{ id: {} }, undefined],
    [{ operation: "toString" }, undefined],
    [{ operation: ["subscribe"] }, undefined],
    [{ toString: "subscribe" }, undefined],
  ])("%j is %s", (body, name) => {
    expect(selectedMethod(body, flat)?.name).toBe(name);
  });

  test("whose value selects nothing is wrong in that field", () => {
    expect(unselected({ Operation: "other" }, flat)).toMatchObject({ field: "/operation" });
    expect(unselected({ other: 1 }, flat)).toMatchObject({ fieldName: "body", fault: "invalidRequest" });
  });
});

test("no conformance case asks for a field of a body that may be another operation", () => {
  const { cases } = suiteFrom(modelOf(all));
  const lines = cases.filter(({ method }) => method === "Subscribe").map((each) => JSON.stringify(each));
  const wrong = lines.filter((line) => line.includes('"BAD_INPUT"'));
  expect(wrong.length).toBeGreaterThan(5);
  expect(wrong.filter((line) => line.includes('"field":"/operation"'))).toEqual([]);
});

/** The generated part that distinguishes bodies. */
function descriptorOf(model: ServiceModel): Pick<SignedInterfaceDescriptor, "methods"> {
  const fields = { fields: [] };
  const entries = methodsAsTried(model).flatMap(
    ({ name, effect, transport }): [string, MethodDescriptor][] => {
      if (transport.kind !== "flat") return [];
      const shapes = { payload: fields, result: fields, errors: {}, validate: () => true };
      return [[name, { name, section: "", effect, transport, ...shapes }]];
    },
  );
  return { methods: Object.fromEntries(entries) };
}

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loaded(text);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function loaded(text: string) {
  const files = new Map([...baseProject(), ["library/flat.yaml", `methods:${text}\n`]]);
  return loadServiceModel("library", readerOf(files));
}
