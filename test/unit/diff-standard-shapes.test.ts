import { expect, test } from "vitest";
import { diffModels } from "../../generator/diff/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";

/** An interface that takes and gives a value of a type. */
function interfaceOf(type: string, types = ""): ServiceModel {
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
  Choice: { type: string|integer }
  Pet: { oneOf: { discriminator: kind, cases: { cat: Cat, dog: Dog } } }
  CatAlone: { oneOf: { discriminator: kind, cases: { cat: Cat } } }
${types}`;
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
  ["type: integer", "type: string|number", "type-widened"],
  ["type: Pet", "type: Pet|string", "type-widened"],
  ["type: Choice", "type: Choice|boolean", "type-widened"],
  ["type: Word", "type: string|integer", "type-widened"],
  ["type: string", "type: string|integer", "type-widened"],
  ["type: string", "type: string|integer|null", "type-widened"],
  ["type: Cat", "type: Cat|Dog", "type-widened"],
  ["type: Cat", "type: Cat|Dog, exactlyOne: true", "type-changed"],
  ["type: Cat", "type: Cat|string, exactlyOne: true", "type-widened"],
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
  ["type: integer, const: 1", "type: integer, minimum: 1, maximum: 1"],
  ["type: integer, above: 0, below: 2", "type: integer, const: 1"],
  ["type: integer, const: 1", "enum: [{ value: 1 }]"],
])("%s is as narrow as %s", (old, recent) => {
  for (const [from, to] of [
    [old, recent],
    [recent, old],
  ] as const) {
    const ofType = (text: string): ServiceModel => interfaceOf("type: One", `  One: { ${text} }`);
    expect(diffModels(ofType(from), ofType(to)).map(({ rule }) => rule)).toEqual(["constraint-restated"]);
  }
});

test("what goes without saying in requests and is new in answers is one change", () => {
  const pair = (text: string): ServiceModel =>
    interfaceOf("type: Pair", `  Pair: { fields: [{ name: left, type: string${text} }] }`);
  const found = diffModels(pair(""), pair(", minLength: 1")).map(({ rule }) => rule);
  expect(found).toEqual(["response-bound-set"]);
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

const short = 'type: string, pattern: "^[a-z]{1,3}$"';
const long = 'type: string, pattern: "^[a-z]{1,5}$"';

/** A type, its definition then and now, and the rules that break callers in requests and in responses. */
test.each<[string, string, string, readonly string[], readonly string[]]>([
  ["type: map of string, keys: K", `K: { ${short} }`, `K: { ${long} }`, [], ["pattern-widened"]],
  ["type: map of string, keys: K", `K: { ${long} }`, `K: { ${short} }`, ["pattern-narrowed"], []],
  [
    "type: map of string, keys: K",
    "K: { enum: [{ value: a }, { value: b }, { value: c }] }",
    "K: { enum: [{ value: a }, { value: b }] }",
    ["enum-value-removed"],
    [],
  ],
  ["type: K|integer", `K: { ${long} }`, `K: { ${short} }`, ["pattern-narrowed"], []],
  [
    "type: array of map of K",
    "K: { type: array of integer, minItems: 1 }",
    "K: { type: array of integer, minItems: 2 }",
    ["bound-tightened"],
    [],
  ],
])("%s of %s → %s", (type, old, recent, inRequests, inResponses) => {
  const found = diffModels(interfaceOf(type, `  ${old}`), interfaceOf(type, `  ${recent}`));
  expect(breakingCallers(found)).toEqual([
    ...inRequests.map((rule) => `request-${rule}`),
    ...inResponses.map((rule) => `response-${rule}`),
  ]);
});

test.each([
  ["type: map of string, keys: K", "type: map of string, keys: L", short, short],
  [
    "type: K|Cat",
    "type: L|Cat",
    "fields: [{ name: x, type: string }]",
    "fields: [{ name: x, type: string }]",
  ],
])("%s → %s breaks nobody where one type is the other by a new name", (old, recent, before, now) => {
  for (const renamed of ["renamedFrom: K, ", ""]) {
    const found = diffModels(
      interfaceOf(old, `  K: { ${before} }`),
      interfaceOf(recent, `  L: { ${renamed}${now} }`),
    );
    expect(found.filter(({ severity }) => severity === "breaking").map(({ rule }) => rule)).toEqual([]);
  }
});

test("a type that has a new name and became one of several is not another", () => {
  const fields = "fields: [{ name: x, type: string }]";
  const old = interfaceOf("type: K", `  K: { ${fields} }`);
  const recent = interfaceOf("type: L|Cat", `  L: { renamedFrom: K, ${fields} }`);
  expect(breakingCallers(diffModels(old, recent))).toEqual(["response-type-widened"]);
});

test("another tag of the same type is another value", () => {
  const caseOf = (tag: string) => `  K: { oneOf: { discriminator: kind, cases: { ${tag}: Cat } } }`;
  const found = diffModels(interfaceOf("type: K", caseOf("cat")), interfaceOf("type: K", caseOf("tomcat")));
  expect(breakingCallers(found)).toEqual(["request-type-changed", "response-type-changed"]);
});

test("names of a map by another type that takes more break only who reads them", () => {
  const found = diffModels(
    interfaceOf("type: map of string, keys: K", `  K: { ${short} }`),
    interfaceOf("type: map of string, keys: L", `  L: { ${long} }`),
  );
  expect(breakingCallers(found)).toEqual(["response-pattern-widened"]);
});

test("a type that became one of several, and takes less itself, is said to take less", () => {
  const old = interfaceOf("type: K", `  K: { ${long} }`);
  const recent = interfaceOf("type: K|integer", `  K: { ${short} }`);
  expect(breakingCallers(diffModels(old, recent))).toEqual([
    "request-pattern-narrowed",
    "response-type-widened",
  ]);
  expect(breakingCallers(diffModels(recent, old))).toEqual([
    "request-type-narrowed",
    "response-pattern-widened",
  ]);
});

/** Rules that break callers, requests first. */
function breakingCallers(changes: ReturnType<typeof diffModels>): readonly string[] {
  return changes
    .flatMap(({ rule, impacts }) =>
      impacts.some(({ party, severity }) => party === "callers" && severity === "breaking") ? [rule] : [],
    )
    .toSorted();
}

const numbers = `
  Three: { enum: [{ value: 1, doc: One. }, { value: 2, doc: Two. }, { value: 3, doc: Three. }] }
  Odd: { enum: [{ value: 1, doc: One. }, { value: 3, doc: Three. }, { value: 5, doc: Five. }] }`;
const pair = 'type: "tuple of [string, integer]"';
const texts = 'type: "tuple of [string, string]"';

/** Old and new type, and whether callers who send, and callers who read, are broken: there, then on the way back. */
test.each<[string, string, "holds" | "breaks", "holds" | "breaks", "holds" | "breaks", "holds" | "breaks"]>([
  // A tuple is an array of as many items, each of its own type.
  [pair, "type: array of (string|integer)", "holds", "breaks", "breaks", "holds"],
  [pair, "type: array of (string|number)", "holds", "breaks", "breaks", "holds"],
  [pair, "type: array of string", "breaks", "breaks", "breaks", "breaks"],
  [pair, "type: array of (string|integer), minItems: 2, maxItems: 2", "holds", "breaks", "breaks", "holds"],
  [texts, "type: array of string", "holds", "breaks", "breaks", "holds"],
  [texts, "type: array of string, minItems: 2, maxItems: 2", "holds", "holds", "holds", "holds"],
  [texts, "type: array of string, minItems: 3", "breaks", "breaks", "breaks", "breaks"],
  [texts, "type: array of string, maxItems: 1", "breaks", "breaks", "breaks", "breaks"],
  [texts, "type: array of string, uniqueItems: true", "breaks", "breaks", "breaks", "breaks"],
  [texts, "type: array of string|integer", "holds", "breaks", "breaks", "holds"],
  ['type: "tuple of [integer, number]"', "type: array of Exclusive", "breaks", "breaks", "breaks", "breaks"],
  // Bounds of whole numbers are a list of them.
  ["type: integer, minimum: 1, maximum: 3", "type: Three", "holds", "holds", "holds", "holds"],
  ["type: integer, above: 0, below: 4", "type: Three", "holds", "holds", "holds", "holds"],
  ["type: integer, minimum: 1, maximum: 5", "type: Three", "breaks", "holds", "holds", "breaks"],
  ["type: integer, minimum: 2, maximum: 3", "type: Three", "holds", "breaks", "breaks", "holds"],
  ["type: integer, minimum: 2, maximum: 5", "type: Three", "breaks", "breaks", "breaks", "breaks"],
  ["type: integer, minimum: 1, maximum: 3", "type: Odd", "breaks", "breaks", "breaks", "breaks"],
  ["type: integer", "type: Three", "breaks", "holds", "holds", "breaks"],
  ["type: number, minimum: 1, maximum: 3", "type: Three", "breaks", "holds", "holds", "breaks"],
  ["type: integer, const: 2", "type: Three", "holds", "breaks", "breaks", "holds"],
  ["type: integer, const: 2", "type: Odd", "breaks", "breaks", "breaks", "breaks"],
  ["type: Three|string, exactlyOne: true", "type: Three|string", "holds", "holds", "holds", "holds"],
])("%s → %s: who sends %s, who reads %s; back: %s, %s", (old, recent, ...verdicts) => {
  const types = `${numbers}\n  Exclusive: { type: integer|number, exactlyOne: true }`;
  const verdictOf = (from: string, to: string, direction: string): string => {
    const changes = diffModels(interfaceOf(from, types), interfaceOf(to, types));
    const breaking = changes.filter(({ rule, impacts }) => {
      const isOfOther = ["request-", "response-"].some((each) => each !== direction && rule.startsWith(each));
      return (
        !isOfOther && impacts.some(({ party, severity }) => party === "callers" && severity === "breaking")
      );
    });
    return breaking.length > 0 ? "breaks" : "holds";
  };
  expect([
    verdictOf(old, recent, "request-"),
    verdictOf(old, recent, "response-"),
    verdictOf(recent, old, "request-"),
    verdictOf(recent, old, "response-"),
  ]).toEqual(verdicts);
});

test("a whole result that is said in other words is named after its method", () => {
  const answering = (result: string): ServiceModel => {
    const yaml = `
interface: { name: values, wire: { protocol: json-rpc-2.0 } }
methods:
  tasks.get: { result: ${result} }
types:
  Pair: { type: array of string, minItems: 2, maxItems: 2 }
`;
    const { value, diagnostics } = loadServiceModel(
      "values",
      readerOf(new Map([["values/values.yaml", yaml]])),
    );
    if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
    return value;
  };
  const changes = diffModels(answering('"tuple of [string, string]"'), answering("Pair"));
  expect(changes.map(({ summary }) => summary)).toContain(
    "`result` of `tasks.get` says `array of string` in place of `tuple of [string, string]`, which takes the same values",
  );
});
