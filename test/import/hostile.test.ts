import { mkdtempSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { externalReader, readDocumentFile } from "../../tools/import/read-document.ts";
import { importDocument, type Imported, type Json } from "../../tools/import/index.ts";

describe("A document that means harm, or is broken,", () => {
  test.each<[string, Json, string]>([
    ["is no object", [], "no JSON object"],
    ["is of another kind", { openapi: "3.1.0", paths: {} }, "OpenAPI"],
    ["has no version that is known", { openrpc: "2.0.0", methods: [] }, "no version 1.x"],
    ["is of a dialect of JSON-RPC", { openrpc: "1.3.2", methods: [], "x-frame": {} }, "use the spec"],
    ["has no methods", { openrpc: "1.3.2" }, "list of `methods`"],
    ["has a dialect that is not known", { $schema: "http://json-schema.org/draft-03/schema#" }, "draft-04"],
    ["says nothing", {}, "neither"],
  ])("%s: nothing is taken, and why is said", (_what, document, reason) => {
    const { files, report } = imported(document);
    expect(files).toBeUndefined();
    expect(report.problem).toContain(reason);
  });

  test.each<[string, Json, string]>([
    ["refers to itself", { $ref: "#/$defs/T" }, "refers only to itself"],
    [
      "includes itself",
      { allOf: [{ $ref: "#/$defs/T" }, { type: "object", required: ["a"] }] },
      "includes itself",
    ],
    ["refers to nothing", { $ref: "#/$defs/Gone" }, "leads nowhere"],
    ["refers to what all objects inherit", { $ref: "#/constructor/prototype" }, "leads nowhere"],
    ["refers by an anchor", { $ref: "#name" }, "only JSON Pointers"],
    ["refers by a number", { $ref: 4 }, "`$ref` is text"],
    ["refers to the network", { $ref: "https://evil.example/x.json" }, "--ref"],
    ["is nested too deep", nested(100), "nested more than 64 deep"],
    ["is no schema", 4, "a schema is an object, true or false"],
    ["has a type that is none", { type: "text" }, "`type` has a value"],
    ["has a malformed enum", { enum: [] }, "`enum` has a value"],
    [
      "has a member that is a trap",
      { type: "object", properties: JSON.parse('{"__proto__": {"type": "string"}}') },
      "reader of requests refuses it",
    ],
    ["has a slow pattern", { type: "string", pattern: "^(a+)+$" }, "can be slow"],
    ["has a pattern that is none", { type: "string", pattern: "(" }, "no regular expression"],
    ["takes nothing", { type: "string", allOf: [{ type: "number" }] }, "contradicts itself"],
    [
      "takes nothing because two alternatives take everything",
      { oneOf: [{ name: "status", schema: { type: "string" } }, { schema: { type: "object" } }] },
      "contradicts itself",
    ],
  ])("a type that %s is refused with the reason, and the others are taken", (_what, schema, reason) => {
    const { files, report } = imported({ $defs: { T: schema, Good: { type: "string" } } });
    const [bad, good] = report.entries;
    expect(bad).toMatchObject({ name: "T", verdict: "refused" });
    expect(bad?.findings.map((finding) => finding.reason).join()).toContain(reason);
    expect(bad?.findings[0]?.pointer).toContain("#/$defs/T");
    expect(good).toMatchObject({ name: "Good", verdict: "exact" });
    expect(files?.["types.yaml"]).toContain("Good:");
    expect(files?.["types.yaml"]).not.toContain("T:");
  });

  test("a type whose example is wrong more than once is taken, and keeps the example aside", () => {
    const schema = { type: "object", additionalProperties: { type: "integer" }, example: { a: "x", b: "y" } };
    const { files, report } = imported({ $defs: { T: schema } });
    expect(report.entries).toMatchObject([{ name: "T", verdict: "exact" }]);
    expect(files?.["types.yaml"]).toContain("x-example:");
  });

  test("names of a map are taken as any type of texts, and refused as another", () => {
    const map = (propertyNames: Json) => ({ type: "object", propertyNames, additionalProperties: {} });
    const names = [
      true,
      {},
      { pattern: "^x" },
      { pattern: "^x", maxLength: 4 },
      { enum: ["a", "b"] },
      { $ref: "#/$defs/Id" },
    ];
    const wrong = [{ type: "integer" }, { $ref: "#/$defs/T0" }, false];
    const $defs = Object.fromEntries([...names, ...wrong].map((each, index) => [`T${index}`, map(each)]));
    const { report } = imported({ $defs: { Id: { type: "string", maxLength: 9 }, ...$defs } });
    const refused = report.entries.filter(({ verdict }) => verdict !== "exact").map(({ name }) => name);
    expect(refused).toEqual(["T6", "T7", "T8"]);
  });

  test("numbers of any size are taken, as texts where they bind nothing", () => {
    const large = 2 ** 64;
    const bounded = { type: "integer", maximum: large };
    const document = { $defs: { T: { type: "integer", example: large }, Bounded: bounded } };
    const { files, report } = imported(document, { lossy: true });
    expect(report.entries.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["T", "weakened"],
      ["Bounded", "weakened"],
    ]);
    expect(files?.["types.yaml"]).toContain('maximum: "18446744073709552000"');
    expect(files?.["types.yaml"]).toContain("keep: true");
    expect(imported(document).report.entries).toMatchObject([
      { verdict: "weakened" },
      { verdict: "refused" },
    ]);
  });

  test("`rpc.discover` is taken without a definition: every service answers it by itself", () => {
    const meta = "https://raw.githubusercontent.com/open-rpc/meta-schema/master/schema.json";
    const discover = { name: "rpc.discover", params: [], result: { name: "r", schema: { $ref: meta } } };
    const document = {
      openrpc: "1.3.2",
      info: { title: "t", version: "1.0.0" },
      methods: [discover, { name: "a", params: [], result: string("r") }, discover],
    };
    const { files, report } = imported(document);
    expect(report.entries.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["rpc.discover", "exact"],
      ["a", "exact"],
      ["rpc.discover", "refused"],
    ]);
    expect(report.entries[0]?.findings).toMatchObject([{ pointer: "#/methods/0", effect: "read" }]);
    expect(files?.["methods.yaml"]).not.toContain("discover");
  });

  test.each(["either", "by-position"] as const)(
    "a required parameter behind an optional one is taken %s where `null` holds the place",
    (style) => {
      const named = { name: "n", schema: { $ref: "#/components/schemas/N" } };
      const document = {
        openrpc: "1.3.2",
        info: { title: "t", version: "1.0.0" },
        methods: [{ name: "a", params: [string("x"), named, { ...string("y"), required: true }] }],
        components: { schemas: { N: { type: "integer" } } },
      };
      const { files, report } = importDocument(document, { ...options, params: style });
      expect(report.entries).toMatchObject([{ verdict: "exact", findings: [] }, { verdict: "exact" }]);
      expect(files?.["methods.yaml"]).not.toContain("params:");
    },
  );

  test.each<[string, Json]>([
    ["by its type", { type: ["string", "null"] }],
    ["by an alternative", { anyOf: [{ type: "string" }, { type: "null" }] }],
    ["for it is anything", {}],
    ["by the name of its type", { $ref: "#/components/schemas/N" }],
  ])("behind an optional one that may be null %s it is refused by position", (_what, schema) => {
    const document = {
      openrpc: "1.3.2",
      info: { title: "t", version: "1.0.0" },
      methods: [
        {
          name: "a",
          params: [
            { name: "x", schema },
            { ...string("y"), required: true },
          ],
        },
      ],
      components: { schemas: { N: { anyOf: [{ type: "string" }, { type: "null" }] } } },
    };
    const { report } = importDocument(document, { ...options, params: "by-position" });
    expect(report.entries[0]).toMatchObject({ name: "a", verdict: "refused" });
  });

  test("a method with a required parameter behind a nullable optional one is taken by name alone, if loss is allowed", () => {
    const params = [
      { name: "x", schema: { type: ["string", "null"] } },
      { ...string("y"), required: true },
    ];
    const document = {
      openrpc: "1.3.2",
      info: { title: "t", version: "1.0.0" },
      methods: [{ name: "a", params }],
    };
    const { files, report } = importDocument(document, { ...options, params: "either", lossy: true });
    expect(report.entries).toMatchObject([{ name: "a", verdict: "weakened" }]);
    expect(files?.["methods.yaml"]).toContain("params: by-name");
  });

  test.each<[string, Json, string]>([
    ["no name", { params: [] }, "no name"],
    ["a name of the protocol's own", { name: "rpc.other", params: [] }, "protocol's own"],
    ["a name with a line break", { name: "a\nb", params: [] }, "no name that a method may have"],
    ["a parameter twice", { name: "a", params: [string("x"), string("x")] }, "described twice"],
    [
      "a parameter that is a trap",
      { name: "a", params: [string("constructor")] },
      "no name that a parameter may have",
    ],
    [
      "a required parameter behind a nullable optional one",
      {
        name: "a",
        params: [
          { name: "x", schema: { type: ["string", "null"] } },
          { ...string("y"), required: true },
        ],
      },
      "`null` cannot leave it out",
    ],
    ["a parameter without a schema", { name: "a", params: [{ name: "x" }] }, "no schema"],
    [
      "an error without a whole number",
      { name: "a", params: [], errors: [{ code: "1", message: "m" }] },
      "whole number",
    ],
    [
      "a parameter that leads nowhere",
      { name: "a", params: [{ $ref: "#/components/contentDescriptors/X" }] },
      "leads nowhere",
    ],
  ])("a method with %s is refused, and the others are taken", (_what, method, reason) => {
    const good = {
      name: "good",
      params: [],
      result: { name: "r", schema: { type: "object", properties: { ok: { type: "string" } } } },
    };
    const result = { name: "r", schema: { type: "object", properties: { ok: { type: "string" } } } };
    const { files, report } = imported({ openrpc: "1.3.2", methods: [{ result, ...Object(method) }, good] });
    const [bad, taken] = report.entries;
    expect(bad?.verdict).toBe("refused");
    expect(bad?.findings.map((finding) => finding.reason).join()).toContain(reason);
    expect(taken).toMatchObject({ name: "good", verdict: "exact" });
    expect(files?.["methods.yaml"]).toContain("good:");
  });

  test("a document that multiplies itself ends, and says so", () => {
    const levels = Array.from({ length: 13 }, (_, level) => [
      `L${level}`,
      {
        type: "object",
        anyOf: [
          { $ref: `#/$defs/L${level + 1}`, properties: { a: {} } },
          { $ref: `#/$defs/L${level + 1}`, properties: { b: {} } },
        ],
      },
    ]);
    const L13 = { type: "object", properties: { x: { type: "string" } } };
    const document = { $defs: { ...Object.fromEntries(levels), L13 } };
    const { report } = importDocument(document, { ...options, schemasMax: 2_000 });
    const reasons = report.entries.flatMap(({ findings }) => findings.map(({ reason }) => reason));
    expect(reasons.some((reason) => reason.includes("multiplies its own parts"))).toBe(true);
  });

  test("does not change what all objects inherit", () => {
    imported(
      JSON.parse(
        '{"$defs": {"__proto__": {"type": "string", "polluted": true}, "constructor": {"type": "string"}}}',
      ),
    );
    expect(Object(Object.prototype).polluted).toBeUndefined();
  });

  test("control characters do not reach a report's reasons", () => {
    const { report } = imported({ $defs: { T: { $ref: "#/\u001b[31m\u202e" } } });
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(report.entries[0]?.findings[0]?.reason).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

describe("A file", () => {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return readDocumentFile(join(folder, name));
  };

  test.each([
    ["a.json", '{"openrpc":"1.2.6",\n "methods":[{"name":"a","params":[],\n   "\\u006eame":"b"}]}'],
    ["a.yaml", 'openrpc: "1.2.6"\nmethods: [{name: a, params: [],\n   name: b}]\n'],
  ])("%s in which a key is twice is refused, with line and column", (name, text) => {
    expect(read(name, text)).toEqual({ problem: expect.stringContaining("at line 3, column 4") });
  });

  test("with a byte order mark, a text of megabytes and equal keys of different objects is read", () => {
    const value = { long: "\n".repeat(8e6), a: { a: [{ a: 1 }, { a: '"a":' }] } };
    expect(read("b.json", `\uFEFF${JSON.stringify(value)}`)).toEqual({ value });
  });

  test("does not steer the terminal by what is wrong with it", () => {
    expect(read("c.json", '{"a":\u001bc}')).toEqual({ problem: expect.stringContaining("\\u{1b}") });
  });
});

describe("Another document that a reference names", () => {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "api"));
  writeFileSync(
    join(folder, "api/types.json"),
    JSON.stringify({ $defs: { Id: { type: "string", maxLength: 9 } } }),
  );
  writeFileSync(join(folder, "secret.json"), JSON.stringify({ $defs: { Id: { type: "string" } } }));
  writeFileSync(join(folder, "api/twice.json"), '{"$defs":{"Id":{"type":"string","type":"number"}}}');
  symlinkSync(join(folder, "secret.json"), join(folder, "api/link.json"));
  const readExternal = externalReader([{ prefix: "./api/", folder: join(folder, "api") }]);
  const importing = (reference: string) =>
    importDocument(
      { $defs: { T: { type: "object", properties: { id: { $ref: reference } } } } },
      { ...options, readExternal },
    );

  test("is read from the folder given", () => {
    const { report, files } = importing("./api/types.json#/$defs/Id");
    expect(report.entries.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["T", "exact"],
      ["Id", "exact"],
    ]);
    expect(files?.["types.yaml"]).toContain("maxLength: 9");
  });

  test("is named where a method is there, and nothing else is said of that method", () => {
    const document = {
      openrpc: "1.3.2",
      info: { title: "Elsewhere", version: "1.0.0" },
      methods: [{ $ref: "./methods/new.json" }, { $ref: "#/components/x-methods/gone" }],
    };
    const { report } = importDocument(document, options);
    expect(
      report.entries.map(({ verdict, findings }) => [verdict, findings.map(({ reason }) => reason)]),
    ).toEqual([
      ["refused", [expect.stringContaining('another document, "./methods/new.json"')]],
      ["refused", [expect.stringContaining("#/components/x-methods/gone")]],
    ]);
  });

  test.each([
    ["outside the folder", "./api/../secret.json#/$defs/Id", "leads out of the folder"],
    ["outside by an escape", "./api/%2e%2e/secret.json#/$defs/Id", "leads out of the folder"],
    ["outside by a symbolic link", "./api/link.json#/$defs/Id", "leads out of the folder"],
    ["not there", "./api/gone.json#/$defs/Id", "is not in the folder"],
    ["one that says a thing twice", "./api/twice.json#/$defs/Id", "written twice in one object"],
    ["under no prefix", "/etc/passwd", "--ref"],
  ])("%s is refused", (_where, reference, reason) => {
    expect(importing(reference).report.entries[0]).toMatchObject({
      verdict: "refused",
      findings: [{ reason: expect.stringContaining(reason) }],
    });
    expect(readdirSync(folder).toSorted()).toEqual(["api", "secret.json"]);
  });
});

const options = {
  name: "imported",
  params: "either",
  lossy: false,
  readExternal: externalReader([]),
} as const;

function imported(document: Json, more: { readonly lossy?: true } = {}): Imported {
  return importDocument(document, { ...options, ...more });
}

function nested(depth: number): Json {
  return depth === 0 ? { type: "string" } : { allOf: [nested(depth - 1)] };
}

function string(name: string): Record<string, Json> {
  return { name, schema: { type: "string" } };
}
