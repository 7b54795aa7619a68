import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { jsonOf, schemaDifference } from "../../tools/import/index.ts";
import { reExport } from "./re-export.ts";

const none = { readExternal: () => ({ problem: "none" }) };
const nightly = { properties: { rate: { enum: ["NIGHTLY"] } }, required: ["rate"] };
const nights = { required: ["nights"] };
const rate = { enum: ["NIGHTLY", "WEEKLY"] };

function stay(more: object, members: object = {}): object {
  const properties = { rate, nights: { type: "integer" }, paid: { type: "boolean" }, ...members };
  return { type: "object", properties, ...more };
}

/** `if` with `then`. */
function implies(condition: object, consequence: object, others: object = {}): object {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; no schema is ever awaited
  return { if: condition, then: consequence, ...others };
}

function taken(schema: object) {
  const document = jsonOf({ $defs: { Stay: schema, Rate: { ...rate, description: "A rate." } } });
  const { imported, openrpc, errors } = reExport(document);
  expect(errors).toEqual([]);
  const [{ verdict } = { verdict: "none" }] = imported.report.entries;
  const types = Object(parse(imported.files?.["types.yaml"] ?? "{}")).types;
  const difference =
    verdict === "exact"
      ? schemaDifference(
          { document, ...none, at: ["$defs", "Stay"] },
          { document: openrpc, ...none, at: ["components", "schemas", "Stay"] },
        )
      : undefined;
  const fields: { name: string; requiredWhen?: object; optional?: true }[] = types?.Stay?.fields ?? [];
  const when = fields.flatMap((field) => (field.requiredWhen ? [[field.name, field.requiredWhen]] : []));
  return { verdict, difference, when };
}

describe("what is required at times", () => {
  test.each<[string, object, readonly (readonly [string, object])[]]>([
    ["as we say it", stay(implies(nightly, nights)), [["nights", { field: "rate", is: ["NIGHTLY"] }]]],
    [
      "a constant of a member that is always there",
      stay({ ...implies({ properties: { rate: { const: "WEEKLY" } } }, nights), required: ["rate"] }),
      [["nights", { field: "rate", is: ["WEEKLY"] }]],
    ],
    [
      "by true or false, and two conditions",
      stay({
        allOf: [
          implies(nightly, nights),
          implies({ properties: { paid: { const: true } }, required: ["paid"] }, { required: ["by"] }),
        ],
        properties: { ...Object(stay({})).properties, by: { type: "string" } },
      }),
      [
        ["nights", { field: "rate", is: ["NIGHTLY"] }],
        ["by", { field: "paid", is: [true] }],
      ],
    ],
    [
      "beside a group",
      stay({ ...implies(nightly, nights), anyOf: [{ required: ["nights"] }, { required: ["paid"] }] }),
      [["nights", { field: "rate", is: ["NIGHTLY"] }]],
    ],
    [
      "of a member whose type has a name and a description",
      stay(implies(nightly, nights), { rate: { $ref: "#/$defs/Rate" } }),
      [["nights", { field: "rate", is: ["NIGHTLY"] }]],
    ],
    ["asked for anyway", stay({ ...implies(nightly, nights), required: ["nights"] }), []],
  ])("is read where the language says it: %s", (_what, schema, when) => {
    expect(taken(schema)).toEqual({ verdict: "exact", difference: undefined, when });
  });

  test.each<[string, object]>([
    ["otherwise something else", stay(implies(nightly, nights, { else: { required: ["paid"] } }))],
    ["a member that may be absent", stay(implies({ properties: { rate: { const: "WEEKLY" } } }, nights))],
    [
      "a value that the member has not",
      stay(implies({ ...nightly, properties: { rate: { const: "?" } } }, nights)),
    ],
    [
      "a number",
      stay(implies({ properties: { nights: { const: 1 } }, required: ["nights"] }, { required: ["paid"] })),
    ],
    ["more than members", stay(implies(nightly, { ...nights, minProperties: 2 }))],
    ["a member that is not there", stay(implies(nightly, { required: ["other"] }))],
    ["a member by itself", stay(implies(nightly, { required: ["rate"] }))],
    [
      "one member on two conditions",
      stay({
        allOf: [
          implies(nightly, nights),
          implies({ properties: { paid: { const: true } }, required: ["paid"] }, nights),
        ],
      }),
    ],
    ["a text of a format", stay(implies(nightly, nights), { rate: { type: "string", format: "uuid" } })],
    ["two members", stay(implies({ properties: { rate: {}, paid: {} } }, nights))],
    ["a value that is no object", { ...implies(nightly, nights), type: ["object", "string"] }],
  ])("is refused where it does not: %s", (_what, schema) => {
    expect(taken(schema).verdict).toBe("refused");
  });
});
