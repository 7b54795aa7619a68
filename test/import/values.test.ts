import { expect, test } from "vitest";
import { jsonOf, schemaDifference } from "../../tools/import/index.ts";
import { reExport } from "./re-export.ts";

const none = { readExternal: () => ({ problem: "none" }) };

/** The report on one type, and how its export differs from it. */
function taken(schema: object) {
  const document = jsonOf({ $defs: { Value: schema } });
  const { imported, openrpc, errors } = reExport(document);
  expect(errors).toEqual([]);
  const [{ verdict, findings } = { verdict: "none", findings: [] }] = imported.report.entries;
  const difference =
    verdict === "exact"
      ? schemaDifference(
          { document, ...none, at: ["$defs", "Value"] },
          { document: openrpc, ...none, at: ["components", "schemas", "Value"] },
        )
      : undefined;
  return { verdict, difference, reasons: findings.map(({ pointer, reason }) => `${pointer} ${reason}`) };
}

test.each([
  ["an empty text among others", { enum: ["", "ASC", "DESC"] }],
  ["an empty text beside one other", { type: "string", enum: ["", "ASC"] }],
  ["an empty text alone", { const: "" }],
])("%s is taken as it is", (_title, schema) => {
  expect(taken(schema)).toEqual({ verdict: "exact", difference: undefined, reasons: [] });
});

test.each([
  ["const", { const: 2 ** 60 }],
  ["enum", { enum: [1, 2 ** 60] }],
  ["default", { type: "integer", default: 2 ** 60 }],
])("a number of %s that is not kept exactly is said where it stands", (keyword, schema) => {
  const { verdict, reasons } = taken(schema);
  expect(verdict).toBe("refused");
  expect(reasons[0]).toContain(
    `/$defs/Value/${keyword} \`${keyword}\` is beyond 9007199254740991, and numbers of that size are not kept exactly`,
  );
});

const noStep = "`multipleOf` has no word in the spec language";
const beyond = "is beyond 9007199254740991, and numbers of that size are not kept exactly";
const asBigint = `${beyond}; the type is \`bigint\``;
const large = (format: string) => `\`${format}\` has values beyond 9007199254740991: the type is \`bigint\``;
const asText = "a number beyond 9007199254740991 is not kept exactly: it stands as a text";

test.each<[object, string, readonly string[]]>([
  [{ type: "number", multipleOf: 1 }, "type: integer", []],
  [{ type: "number", multipleOf: 2 }, "type: number", [noStep]],
  [{ type: "integer", multipleOf: 1 }, "type: integer", []],
  [{ type: "number", exclusiveMinimum: 1 }, "above: 1", []],
  [{ type: "number", exclusiveMaximum: 9 }, "below: 9", []],
  [{ type: "integer", minimum: 1, maximum: 1 }, "minimum: 1", []],
  [{ type: "integer", maximum: 2 ** 53 - 1 }, "maximum: 9007199254740991", []],
  [{ type: "integer", maximum: 2 ** 53 }, 'maximum: "9007199254740992"', [`\`maximum\` ${asBigint}`, asText]],
  [
    { type: "integer", minimum: -(2 ** 53) },
    'minimum: "-9007199254740992"',
    [`\`minimum\` ${asBigint}`, asText],
  ],
  [{ type: "integer", maximum: 2 ** 64 }, "type: bigint", [`\`maximum\` ${asBigint}`, asText]],
  [{ type: "integer", format: "uint64", minimum: 0 }, "type: bigint", [large("uint64")]],
  [{ type: ["integer", "null"], format: "int64" }, "type: bigint|null", [large("int64")]],
  [{ type: "integer", format: "int32" }, "type: integer", []],
  [{ type: "number", maximum: 2 ** 64 }, "type: number", [`\`maximum\` ${beyond}`, asText]],
  [{ type: "number", minimum: 1, exclusiveMinimum: true }, "above: 1", []],
  [{ type: "number", maximum: 9, exclusiveMaximum: false }, "maximum: 9", []],
  [
    { type: "integer", enum: [0, 1, 2, 3], minimum: 1, exclusiveMaximum: 3 },
    "- value: 1\n      - value: 2\n    keep",
    [],
  ],
  [
    { enum: ["a", "bb", "ccc", "dddd"], minLength: 2, maxLength: 3 },
    "enum:\n      - value: bb\n      - value: ccc\n    keep",
    [],
  ],
  [{ type: "array", items: false }, "maxItems: 0", []],
  [{ type: "array", items: { type: "string" }, uniqueItems: true }, "uniqueItems: true", []],
])("%j is taken with `%s`", (schema, text, said) => {
  const { imported, errors } = reExport(jsonOf({ $defs: { Value: schema } }), { lossy: true });
  expect(errors).toEqual([]);
  expect(imported.report.entries.flatMap(({ findings }) => findings.map(({ reason }) => reason))).toEqual(
    said,
  );
  expect(imported.files?.["types.yaml"]).toContain(text);
});

test("a number inside a default that is not kept exactly is said beside what else was dropped", () => {
  const schema = {
    type: "object",
    properties: {
      ids: { type: "array", items: { type: "integer" }, default: [2 ** 60] },
      step: { type: "integer", multipleOf: 3 },
    },
  };
  const { imported } = reExport(jsonOf({ $defs: { Value: schema } }), { lossy: true });
  const [{ findings } = { findings: [] }] = imported.report.entries;
  expect(findings.map(({ reason }) => reason)).toEqual([
    "`multipleOf` has no word in the spec language",
    "a number beyond 9007199254740991 is not kept exactly: it stands as a text",
  ]);
});

test("a default that does not fit its type is carried on, and those beside it stay defaults", () => {
  const schema = {
    type: "object",
    properties: {
      limit: { type: "integer", default: 50 },
      message: { type: "string", default: null },
      order: { enum: ["ASC", "DESC"], default: "UP" },
      start: { type: "integer", minimum: 1, default: 0 },
      page: { type: "object", properties: { size: { type: "integer", default: "many" } } },
    },
  };
  expect(taken(schema)).toEqual({ verdict: "exact", difference: undefined, reasons: [] });
  const { files } = reExport(jsonOf({ $defs: { Value: schema } })).imported;
  expect(files?.["types.yaml"]?.match(/(?:x-)?default: .*/g)?.toSorted()).toEqual([
    "default: 50",
    "x-default: 0",
    "x-default: UP",
    "x-default: many",
    "x-default: null",
  ]);
});

test("alternatives that take more than the document says are not exactly one: what fits both would be refused", () => {
  const schema = {
    type: "object",
    properties: { uri: { type: "string" }, quality: { type: "string" } },
    oneOf: [{ propertyNames: { enum: ["uri"] } }, { propertyNames: { enum: ["quality"] } }],
  };
  const { imported, errors } = reExport(jsonOf({ $defs: { Value: schema } }), { lossy: true });
  expect(errors).toEqual([]);
  const [{ verdict, findings } = { verdict: "none", findings: [] }] = imported.report.entries;
  expect(verdict).toBe("weakened");
  expect(findings.at(-1)?.reason).toBe("`oneOf` is taken as `anyOf`, because of what its alternatives lack");
  expect(imported.files?.["types.yaml"]).not.toContain("exactlyOne: true");
});

test.each([
  ["weakened", [{ type: "null" }, { type: "null" }]],
  ["weakened", [{ type: "null" }, { type: "null" }, { type: "string" }]],
  ["weakened", [{ type: "null" }, { $ref: "#/$defs/Nothing" }]],
  ["weakened", [{ type: "null" }, { anyOf: [{ type: "null" }, { type: "string" }] }]],
  ["exact", [{ type: "null" }, { type: "string" }]],
])("`null` that fits two of exactly one alternative is taken by none: %s, %j", (expected, oneOf) => {
  const document = jsonOf({ $defs: { Value: { oneOf }, Nothing: { type: "null" } } });
  const { report } = reExport(document, { lossy: true }).imported;
  const [{ verdict } = { verdict: "none" }] = report.entries;
  expect(verdict).toBe(expected);
});

test("alternatives that are types of their own count as what those lack, however far within", () => {
  const document = jsonOf({
    $defs: {
      Coin: { type: "object", properties: { size: { $ref: "#/$defs/Size" } } },
      Token: { type: "object", properties: { token: { type: "string" } } },
      Size: { type: "integer", not: { const: 3 } },
      Asset: { oneOf: [{ $ref: "#/$defs/Coin" }, { $ref: "#/$defs/Token" }] },
      Exact: { oneOf: [{ $ref: "#/$defs/Token" }, { type: "string" }] },
    },
  });
  const { imported, errors } = reExport(document, { lossy: true });
  expect(errors).toEqual([]);
  const verdicts = imported.report.entries.map(({ name, verdict }) => [name, verdict]);
  expect(Object.fromEntries(verdicts)).toEqual({
    Coin: "weakened",
    Token: "exact",
    Size: "weakened",
    Asset: "weakened",
    Exact: "exact",
  });
  const types = imported.files?.["types.yaml"] ?? "";
  expect(types).toMatch(/type: Coin\|Token$/m);
  expect(types).not.toMatch(/type: Coin\|Token\n +exactlyOne/);
  expect(types).toMatch(/type: Token\|string\n +exactlyOne: true/);
});

test("of a schema that is `false` it is said that it takes no value", () => {
  expect(taken({ type: "array", items: { anyOf: [false] } }).reasons[0]).toContain("nothing fits");
  const document = jsonOf({ $defs: { Value: false } });
  const [{ findings } = { findings: [] }] = reExport(document).imported.report.entries;
  expect(findings.map(({ pointer, reason }) => `${pointer} ${reason}`)).toEqual([
    "#/$defs/Value `false` takes no value: leave out what has it, or say what a value is",
  ]);
});

test("of a document that is nested too deeply it is said how deep one may be", () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`${'{"type":"array","items":'.repeat(levels)}{}${"}".repeat(levels)}`);
  expect(() => jsonOf(nested(3000))).toThrow("it is nested more than 500 levels deep");
  expect(taken(Object(nested(490))).reasons.join()).not.toContain("stack");
});

test.each([
  ["texts", { minLength: 3 }, "string"],
  ["numbers", { minimum: 3 }, "number"],
  ["numbers of a format", { format: "int64" }, "number"],
  ["members", { properties: { a: { type: "string" } } }, "object"],
  ["items", { items: { type: "string" } }, "array"],
])(
  "a schema without `type` that speaks of %s is not exact: JSON Schema takes any other value",
  (_, schema, type) => {
    const reason = `there is no \`type\`, and only ${type}s are spoken of: assumed to be \`${type}\``;
    expect(taken(schema)).toMatchObject({ verdict: "assumed", reasons: [`#/$defs/Value ${reason}`] });
  },
);

test("a document that is one schema is a type", () => {
  const schema = { $schema: "http://json-schema.org/draft-04/schema#", type: "integer", minimum: 1 };
  const { report, files } = reExport(jsonOf(schema)).imported;
  expect(report.entries).toMatchObject([{ kind: "type", name: "Root", pointer: "#", verdict: "exact" }]);
  expect(files?.["types.yaml"]).toContain("minimum: 1");
});
