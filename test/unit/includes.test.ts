import { expect, test } from "vitest";
import { loadServiceModel, resultFields, type ServiceModel } from "../../generator/model/index.ts";
import { baseProject, readerOf } from "./diagnostics-cases.ts";

const shapes = `
types:
  Item:
    doc: A thing.
    section: "1"
    fields:
      - { name: id, type: string, doc: Identifier. }
      - { name: size, type: number, minimum: 1, optional: true, doc: In metres. }
      - { name: barcode, type: string, optional: true, doc: Bars. }
      - { name: shelfmark, type: string, optional: true, doc: Letters. }
    atLeastOneOf: [[barcode, shelfmark]]
  Map:
    doc: A map.
    section: "1"
    includes: [Dated, Item]
    fields:
      - { name: scale, type: integer, doc: One in so many. }
      - { name: size, type: integer, minimum: 2, doc: In metres. }
  Dated:
    doc: A dated thing.
    section: "1"
    includes: [Item]
    fields: [{ name: year, type: integer, doc: Of what year. }]
  Selected: { doc: Which., section: "1", fields: [{ name: id, type: string, doc: Identifier. }] }
methods:
  BookService.GetMap:
    doc: Reads one map.
    section: "1"
    effect: read
    auth: [credential, signature]
    payload: { includes: [Selected], fields: [{ name: lender, type: string, optional: true, doc: Who. }] }
    result: Map
`;

test("an object has the fields and groups of what it includes, each once, the narrower of two", () => {
  const method = getMap(modelOf(shapes));
  const fields = resultFields(method);
  expect(fields.map(({ name, presence }) => [name, presence.kind])).toEqual([
    ["id", "required"],
    ["size", "required"],
    ["barcode", "optional"],
    ["shelfmark", "optional"],
    ["year", "required"],
    ["scale", "required"],
  ]);
  expect(fields[1]?.shape).toEqual({ kind: "integer", minimum: 2 });
  expect(method.result).toMatchObject({ atLeastOneOf: [["barcode", "shelfmark"]] });
});

test("a payload includes types too, and a type that is included is used", () => {
  const { value, diagnostics } = loaded(shapes);
  expect(diagnostics).toEqual([]);
  const payload = value && getMap(value).payload;
  const fields = payload?.kind === "single" ? payload.shape.fields : [];
  expect(fields.map(({ name }) => name)).toEqual(["id", "lender"]);
});

test("an object written in place includes types of a used spec", () => {
  const city = `
interface:
  name: city
  title: City
  revision: 1.0.0
  path: /city
  doc: The city.
  section: "1"
  uses: [../library]
methods:
  LookUp:
    doc: Looks up.
    section: "1"
    effect: read
    auth: [credential, signature]
    payload: { fields: [{ name: what, type: string, doc: What. }] }
    result:
      fields:
        - name: found
          doc: What was found.
          type: array of object
          includes: [Map]
          fields: [{ name: where, type: string, doc: Where. }]
`;
  const files = new Map([...filesOf(shapes), ["city/city.yaml", city]]);
  const { value, diagnostics } = loadServiceModel("city", readerOf(files));
  expect(diagnostics).toEqual([]);
  const found = value?.methods.map(resultFields)[0]?.[0]?.shape;
  const inside = found?.kind === "array" && found.items.kind === "object" ? found.items.fields : [];
  expect(inside.map(({ name }) => name)).toEqual([
    "id",
    "size",
    "barcode",
    "shelfmark",
    "year",
    "scale",
    "where",
  ]);
});

test("what is wrong with an included field is said once", () => {
  const { diagnostics } = loaded(
    shapes.replace("type: string, doc: Identifier.", "type: Strin, doc: Identifier."),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-type"]);
});

test.each([
  ["integer", "type: integer, minimum: 1"],
  ["number", "type: number, minimum: 1.5"],
  ["number", "type: number, const: 3"],
])("a field of %s is narrowed by %s", (_, narrower) => {
  expect(loaded(shapes.replace("type: integer, minimum: 2", narrower)).diagnostics).toEqual([]);
});

test.each([
  ["maximum: 9", []],
  ["maximum: 8", []],
  ["maximum: 10", ["includes-widened"]],
])("a field of numbers up to 9 is held to as many or fewer: %s", (bound, codes) => {
  const text = shapes
    .replace("type: number, minimum: 1", "type: number, minimum: 1, maximum: 9")
    .replace("type: integer, minimum: 2", `type: integer, minimum: 2, ${bound}`);
  expect(loaded(text).diagnostics.map(({ code }) => code)).toEqual(codes);
});

test.each([
  "type: integer",
  "type: number, minimum: 0.5",
  "type: number, const: 0",
  "type: string",
  "optional: true",
])("a field is not narrowed by %s", (wider) => {
  const text =
    wider === "optional: true"
      ? shapes.replace("name: size, type: integer, minimum: 2", "name: year, type: integer, optional: true")
      : shapes.replace("type: integer, minimum: 2", wider);
  expect(loaded(text).diagnostics.map(({ code }) => code)).toEqual(["includes-widened"]);
});

test.each([false, true])(
  "includes through a thousand types are refused, in any order (reversed: %s)",
  (isReversed) => {
    const chain = Array.from(
      { length: 1000 },
      (_, at) => `  T${at}: { doc: One., section: "1", includes: [T${at + 1}], fields: [] }\n`,
    );
    const last = '  T1000: { doc: Last., section: "1", fields: [] }\n';
    const { value, diagnostics } = loaded(
      `types:\n${(isReversed ? chain.toReversed() : chain).join("")}${last}`,
    );
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain("types-too-deep");
  },
);

function getMap({ methods }: ServiceModel) {
  const method = methods.find(({ name }) => name === "BookService.GetMap");
  if (method === undefined) throw new Error("no GetMap");
  return method;
}

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loaded(text);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function loaded(text: string) {
  return loadServiceModel("library", readerOf(filesOf(text)));
}

function filesOf(text: string): ReadonlyMap<string, string> {
  return new Map([...baseProject(), ["library/more.yaml", text]]);
}
