import { expect, test } from "vitest";
import { diffModels } from "../../generator/diff/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";

/** An interface that takes and gives a value of a type. */
function interfaceOf(type: string): ServiceModel {
  const yaml = `
interface: { name: values, wire: { protocol: json-rpc-2.0 } }
methods:
  exchange:
    payload: { fields: [{ name: value, ${type} }] }
    result: { fields: [{ name: value, ${type} }] }
types:
  Cat: { fields: [{ name: lives, type: integer }] }
  Dog: { fields: [{ name: loud, type: boolean }] }
  Closed: { closed: true, fields: [{ name: lives, type: integer }] }
  ClosedLonger: { closed: true, fields: [{ name: lives, type: integer }, { name: name, type: string, optional: true }] }
  Word: { type: string, pattern: "^[a-z]+$" }
  Pet: { oneOf: { discriminator: kind, cases: { cat: Cat, dog: Dog } } }
  CatAlone: { oneOf: { discriminator: kind, cases: { cat: Cat } } }
`;
  const { value, diagnostics } = loadServiceModel(
    "values",
    readerOf(new Map([["values/values.yaml", yaml]])),
  );
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

/** Old and new type, and what the change is called; each is said of requests and of responses. */
const table: readonly (readonly [string, string, string])[] = [
  ["type: string", "type: string|null", "type-widened"],
  ["type: string|integer", "type: string|integer|null", "type-widened"],
  ["type: string", "type: string|integer", "type-widened"],
  ["type: string", "type: string|integer|null", "type-widened"],
  ["type: Cat", "type: Cat|Dog", "type-widened"],
  ["type: CatAlone", "type: Pet", "type-widened"],
  ["type: string|integer", "type: string|integer|boolean", "type-widened"],
  ["type: string|integer", "type: string|number", "type-widened"],
  ["type: string|integer|boolean", "type: string|number|boolean", "type-widened"],
  ["type: uuid|integer", "type: email|integer", "format-changed"],
  ["type: string|integer", "type: Word|number", "type-changed"],
  ["type: map of string", "type: json", "type-widened"],
  ["type: map of string", "type: string|null", "type-changed"],
  ["type: map of string", "type: map of string|null", "type-widened"],
  ["type: map of string", "type: map of integer", "type-changed"],
  ["type: map of string, keys: Word", "type: map of string", "type-widened"],
  ['type: "tuple of [string, integer]"', 'type: "tuple of [string, string]"', "type-changed"],
  ['type: "tuple of [string, integer]"', 'type: "tuple of [string]"', "type-changed"],
  ['type: "tuple of [string, integer]"', 'type: "tuple of [string, integer|null]"', "type-widened"],
  ["type: array of array of string", "type: array of array of integer", "type-changed"],
  ["type: integer|number", "type: integer|number, exactlyOne: true", "type-narrowed"],
  ["type: integer, above: 0", "type: integer, above: 1", "bound-tightened"],
  ["type: integer, below: 9", "type: integer, below: 10", "bound-loosened"],
  ["type: integer", "type: integer, below: 10", "bound-set"],
  ["type: string", "type: uuid", "format-added"],
  ["type: uuid", "type: email", "format-changed"],
  ["type: Closed", "type: Cat", "type-widened"],
  ["type: timestamp", "type: date-time", "format-widened"],
  ["type: offset-timestamp", "type: date-time", "format-widened"],
  ["type: uri", "type: uri-reference", "format-widened"],
  ["type: ipv4", "type: hostname", "format-widened"],
  ["type: url", "type: uri", "format-changed"],
  ["type: string, maxLength: 36", "type: uuid", "format-added"],
];

const opposite: Readonly<Record<string, string>> = {
  "type-widened": "type-narrowed",
  "type-changed": "type-changed",
  "type-narrowed": "type-widened",
  "bound-tightened": "bound-loosened",
  "bound-loosened": "bound-tightened",
  "bound-set": "bound-unset",
  "format-added": "format-removed",
  "format-changed": "format-changed",
  "format-widened": "format-narrowed",
};

test.each(table)("%s → %s is %s, and back", (old, recent, family) => {
  for (const [from, to, expected] of [
    [old, recent, family],
    [recent, old, opposite[family] ?? ""],
  ] as const) {
    const found = diffModels(interfaceOf(from), interfaceOf(to)).map(({ rule }) => rule);
    expect(found).toEqual(expect.arrayContaining([`request-${expected}`, `response-${expected}`]));
  }
});

test.each(["integer", "number"])(
  "%s → bigint breaks what clients compute, and so does the way back",
  (type) => {
    for (const [from, to] of [
      [type, "bigint"],
      ["bigint", type],
    ]) {
      const found = diffModels(interfaceOf(`type: ${from}`), interfaceOf(`type: ${to}`));
      const ofClients = found.filter(({ rule }) => rule === "client-type-changed");
      expect(ofClients.map(({ severity, bump }) => [severity, bump])).toContainEqual(["breaking", "major"]);
    }
  },
);

test("a closed object that lists more is more to who reads it, one that lists less refuses more", () => {
  const rulesOf = (from: string, to: string) =>
    diffModels(interfaceOf(from), interfaceOf(to)).flatMap(({ rule, impacts }) =>
      rule.includes("type-") ? [[rule, impacts.find(({ party }) => party === "callers")?.severity]] : [],
    );
  expect(rulesOf("type: Closed", "type: ClosedLonger")).toEqual(
    expect.arrayContaining([["response-type-widened", "breaking"]]),
  );
  expect(rulesOf("type: Closed", "type: ClosedLonger")).not.toContainEqual(["request-type-widened", "info"]);
  expect(rulesOf("type: ClosedLonger", "type: Closed")).toEqual(
    expect.arrayContaining([["request-type-narrowed", "breaking"]]),
  );
});

test("that no value fits two alternatives of which there are none says nothing", () => {
  const found = diffModels(
    interfaceOf("type: string|integer|Cat"),
    interfaceOf("type: string|integer|Cat, exactlyOne: true"),
  );
  expect(found).toEqual([]);
});

test.each([
  ["type: map of string, keys: Word", "type: string", "map of string, keys: Word"],
  ["type: map of (string|integer)", "type: string", "map of (string|integer)"],
  ["type: array of map of string", "type: string", "array of map of string"],
  ["type: array of (string|null)", "type: string", "array of (string|null)"],
  ["type: array of array of string", "type: string", "array of array of string"],
])("%s → %s is said by the whole type", (old, recent, text) => {
  const said = diffModels(interfaceOf(old), interfaceOf(recent)).map((change) => JSON.stringify(change));
  expect(said.length).toBeGreaterThan(0);
  expect(said.join("\n")).toContain(`\`${text}\``);
});
