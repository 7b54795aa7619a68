import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { jsonOf, methodDifferences, type Json } from "../../tools/import/index.ts";
import { formatPatterns } from "../../generator/print/string-formats.ts";
import { accept, packagedDocuments } from "./acceptance.ts";
import { reExport } from "./re-export.ts";

const none = { readExternal: () => ({ problem: "none" }) };

describe("A document, imported and exported again,", () => {
  test.each(packagedDocuments)("%s: what was taken exactly is equal in the normal form", (name, document) => {
    const { unequal, errors } = accept(name, jsonOf(document), ".");
    expect({ unequal, errors }).toEqual({ unequal: [], errors: [] });
  });

  test("keeps every word of every member", () => {
    const { imported, openrpc } = reExport(library);
    expect(imported.report.entries.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["lend", "exact"],
      ["returned", "exact"],
      ["Book", "exact"],
      ["Isbn", "exact"],
    ]);
    const both = [
      { document: library, ...none },
      { document: openrpc, ...none },
    ] as const;
    expect(methodDifferences(...both)).toEqual([
      { name: "lend", differences: [] },
      { name: "returned", differences: [] },
    ]);
    expect(openrpc).toMatchObject({
      info: { title: "Library", version: "2.0", license: { name: "MIT" }, contact: { name: "Ann" } },
      servers: [{ name: "here", url: "https://library.example/api" }],
      methods: [{ name: "lend", summary: "Lends." }, { name: "returned" }],
      "x-color": "red",
    });
    expect(Object(openrpc).methods[1]).not.toHaveProperty("result");
  });

  test("has the protocol's errors of a notification still, and is told of others", () => {
    const method = (name: string, code: number) => ({ name, params: [], errors: [{ code, message: "No" }] });
    const info = { title: "n", version: "1" };
    const document = jsonOf({
      openrpc: "1.3.2",
      info,
      methods: [method("gone", -32_601), method("own", 1_000)],
    });
    const { unequal, errors, methods } = accept("n", document, ".");
    expect({ unequal, errors, ...methods }).toMatchObject({ unequal: [], errors: [], exact: 1, weakened: 1 });
    const { imported } = reExport(document, { lossy: true, ...none });
    expect(parse(imported.files?.["methods.yaml"] ?? "").methods.own["x-dropped"]).toEqual({
      errors: [{ code: 1_000, message: "No" }],
    });
    expect(reExport(document).imported.report.entries).toMatchObject([
      { name: "gone", verdict: "exact" },
      { name: "own", verdict: "refused", findings: [{ pointer: "#/methods/1/errors" }] },
    ]);
  });

  test("keeps each format of an export of ours", () => {
    const formats = Object.entries(formatPatterns);
    const $defs = formats.map(([format, pattern]) => {
      const name = `T-${format}`;
      return [name, { type: "string", "x-format": format, pattern, maxLength: 90 }] as const;
    });
    const { imported } = reExport(jsonOf({ $defs: Object.fromEntries($defs) }));
    const { files, report } = imported;
    expect(report.entries.filter(({ verdict }) => verdict !== "exact")).toEqual([]);
    const types = Object(parse(files?.["types.yaml"] ?? "")).types;
    for (const [format, pattern] of formats) {
      const empty = new RegExp(pattern, "u").test("") ? { minLength: 0 } : {};
      expect(types[`T-${format}`]).toEqual({ type: format, ...empty, maxLength: 90, keep: true });
    }
  });

  test("is a valid OpenRPC document", () => {
    const { openrpc } = reExport(library);
    expect(problems(openrpc)).toBe("");
    expect(problems({ ...Object(openrpc), methods: [{}] })).not.toBe("");
  });

  test.each<[string, (document: Mutable) => void, string]>([
    ["a description", ({ methods: [method] }) => (method.description = "Other."), "description differs"],
    ["a summary", ({ methods: [method] }) => (method.summary = "Other."), "summary differs"],
    [
      "a parameter's name",
      ({ methods: [method] }) => (method.params[0].name = "other"),
      "parameter 0 is not isbn",
    ],
    [
      "whether a parameter is required",
      ({ methods: [method] }) => delete method.params[0].required,
      "isbn: required differs",
    ],
    [
      "the form of parameters",
      ({ methods: [method] }) => (method.paramStructure = "by-position"),
      "paramStructure differs",
    ],
    ["a bound inside a named type", ({ components }) => (components.schemas.Isbn.maxLength = 14), "isbn: "],
    [
      "a member",
      ({ components }) => delete components.schemas.Book.properties.pages,
      "result: the members differ",
    ],
    [
      "a member's description",
      ({ components }) => (components.schemas.Book.properties.pages.description = "?"),
      "/pages: the description differs",
    ],
    ["an error's message", ({ components }) => (components.errors.GONE.message = "?"), "errors differs"],
    [
      "an example's value",
      ({ methods: [method] }) => (method.examples[0].result.value.pages = 2),
      "examples differs",
    ],
    ["a tag", ({ methods: [method] }) => (method.tags = []), "tags differs"],
    ["an extension", ({ methods: [method] }) => (method["x-cost"] = 4), "extensions differs"],
    [
      "the words of the result",
      ({ methods: [method] }) => (method.result.name = "other"),
      "words of the result differ",
    ],
    ["a method", (document) => document.methods.shift(), "it is missing"],
  ])("would be told apart by %s", (_what, change, difference) => {
    const changed = structuredClone<Mutable>(Object(library));
    change(changed);
    const [lend] = methodDifferences({ document: library, ...none }, { document: changed, ...none });
    expect(lend?.differences.join()).toContain(difference);
  });
});

// oxlint-disable-next-line typescript/no-explicit-any -- a document to break at will
type Mutable = any;

const library: Json = {
  openrpc: "1.3.2",
  "x-color": "red",
  info: {
    title: "Library",
    version: "2.0",
    description: "Lends books.",
    license: { name: "MIT" },
    contact: { name: "Ann" },
  },
  servers: [{ name: "here", url: "https://library.example/api" }],
  methods: [
    {
      name: "lend",
      summary: "Lends.",
      description: "Gives a book to a reader.",
      paramStructure: "by-name",
      tags: [{ name: "desk" }],
      externalDocs: { url: "https://library.example/lend" },
      links: [{ name: "back", method: "returned" }],
      "x-cost": 3,
      params: [
        {
          name: "isbn",
          required: true,
          description: "Which.",
          summary: "The number",
          schema: { $ref: "#/components/schemas/Isbn" },
        },
        { $ref: "#/components/contentDescriptors/Days" },
      ],
      result: { name: "book", description: "What was lent.", schema: { $ref: "#/components/schemas/Book" } },
      errors: [
        { $ref: "#/components/errors/GONE" },
        { code: -32602, message: "Bad number" },
        { code: 7, message: "Late", data: { days: 3 } },
      ],
      examples: [
        {
          name: "one",
          params: [{ name: "isbn", value: "1" }],
          result: { name: "book", value: { isbn: "1", pages: 1 } },
        },
        { name: "wrong", params: [{ name: "isbn", value: 4 }], result: { name: "book", value: 4 } },
      ],
    },
    {
      name: "returned",
      params: [{ name: "isbn", required: true, schema: { $ref: "#/components/schemas/Isbn" } }],
      deprecated: true,
    },
  ],
  components: {
    contentDescriptors: { Days: { name: "days", schema: { type: "integer", minimum: 1, maximum: 30 } } },
    errors: { GONE: { code: -32010, message: "Gone" } },
    schemas: {
      Book: {
        type: "object",
        title: "A book",
        description: "What is lent.",
        required: ["isbn"],
        properties: {
          isbn: { $ref: "#/components/schemas/Isbn" },
          pages: { type: "integer", description: "How many." },
          kind: { type: "string", enum: ["novel", "essay"] },
          previous: { $ref: "#/components/schemas/Book" },
        },
      },
      Isbn: { type: "string", maxLength: 13 },
    },
  },
};

const require = createRequire(import.meta.url);
const { openrpcDocument }: { openrpcDocument: object } = require("@open-rpc/meta-schema");
const { jsonSchema }: { jsonSchema: object } = require("@json-schema-tools/meta-schema");
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(draft7(jsonSchema));
const validate = ajv.compile(draft7(openrpcDocument));

function problems(document: unknown): string {
  return validate(document) ? "" : JSON.stringify(validate.errors);
}

/** The meta-schemas are written in draft 7 but name a dialect of their own, with and without a closing slash. */
function draft7(schema: object): object {
  const text = JSON.stringify(schema).replaceAll(/(https:\/\/meta\.json-schema\.tools)\/?/g, "$1/schema");
  return { ...JSON.parse(text), $schema: "http://json-schema.org/draft-07/schema#" };
}
