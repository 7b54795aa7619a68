import { expect, test } from "vitest";
import { jsonOf, schemaDifference } from "../../generator/import/index.ts";
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
