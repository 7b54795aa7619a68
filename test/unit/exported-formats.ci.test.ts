import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../generator/emit/openapi/document.ts";
import { openRpcDocument } from "../../generator/emit/openrpc/document.ts";
import { emitter } from "../../generator/emit/json-schema/index.ts";
import { runs } from "../seed.ts";
import { ownSpecs, modelOf } from "../vectors/models.ts";
import { vectorsOf } from "../vectors/vectors-of.ts";

const layout = { out: "out", handlers: "handlers", contract: "contract.ts" };

/** What validators other than ours read into the documents that others are given. */
describe.each(ownSpecs)("the exported schemas of %s", (spec) => {
  const model = modelOf(spec);
  const documents: Readonly<Record<string, object>> = {
    "json-schema.json": parsed(emitter.emit(model, layout)[0]?.text ?? ""),
    "openapi.json": parsed(JSON.stringify(openApiDocument(model))),
    "openrpc.json": parsed(JSON.stringify(openRpcDocument(model))),
  };
  const valid = vectorsOf(model, { most: runs(60) }).flatMap(({ schema, tests }) =>
    tests.filter((each) => each.valid).map(({ data }) => ({ schema, data })),
  );

  test("have enough values to try", () => {
    expect(valid.length).toBeGreaterThan(20);
  });

  test.for([
    ["json-schema.json", "#/$defs/"],
    ["openapi.json", "#/components/schemas/"],
  ] as const)("take every right value, formats checked: %s", ([name, prefix]) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false, ownProperties: true }));
    ajv.addSchema({ ...documents[name], $id: "urn:test:document" });
    const refused = valid.filter(({ schema, data }) => {
      const validate = ajv.getSchema(`urn:test:document${prefix}${schema}`);
      if (validate === undefined) throw new Error(`${name} has no ${schema}`);
      return validate(data) !== true;
    });
    expect(refused.slice(0, 3)).toEqual([]);
  });

  test("use no standard name for another meaning", () => {
    const standard = addFormats.default(new Ajv()).formats;
    for (const [name, document] of Object.entries(documents)) {
      const used = formatsIn(document).filter((format) => Object.hasOwn(standard, format));
      expect([...new Set(used)], name).toEqual([]);
    }
  });
});

function formatsIn(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === "format" && typeof value === "string" ? [value] : formatsIn(value),
  );
}

function parsed(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return value;
}
