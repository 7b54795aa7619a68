import { expect, test } from "vitest";
import { jsonOf } from "../../tools/import/index.ts";
import { reExport } from "./re-export.ts";

const text = { type: "string", minLength: 1 };
const whole = { type: "integer" };

/** The types of an imported document, and what was said of them. */
function imported(document: object, others: Readonly<Record<string, object>> = {}) {
  const readExternal = (uri: string) => {
    const other = others[uri];
    return other === undefined ? { problem: `no ${uri}` } : { uri, document: jsonOf(other) };
  };
  const { imported: given, errors } = reExport(jsonOf(document), { readExternal });
  expect(errors).toEqual([]);
  const said = given.report.entries.flatMap(({ findings }) => findings.map(({ reason }) => reason));
  return { types: given.files?.["types.yaml"] ?? "", said };
}

test("a relative reference is resolved against the `$id` around it", () => {
  const document = { $id: "https://a.example/v1/all.json", $defs: { T: { $ref: "parts/x.json#/$defs/X" } } };
  const others = { "https://a.example/v1/parts/x.json": { $defs: { X: { $ref: "#/$defs/Y" }, Y: text } } };
  expect(imported(document, others)).toEqual({ types: expect.stringContaining("minLength: 1"), said: [] });
});

test("a reference by the `$id` of a part of the document needs no other document", () => {
  const document = {
    $id: "https://a.example/all.json",
    $defs: {
      T: { type: "object", required: ["x"], properties: { x: { $ref: "/name" } } },
      Name: { $id: "/name", ...text },
    },
  };
  expect(imported(document)).toEqual({ types: expect.stringMatching(/name: x\n\s+type: Name/), said: [] });
});

test("within a part that has an `$id`, pointers begin at that part", () => {
  const part = { $id: "https://a.example/part", $ref: "#/$defs/Own", $defs: { Own: whole } };
  const { types, said } = imported({ $defs: { Part: part, Own: text } });
  expect(said).toEqual([]);
  expect(types).toMatch(/PartDefsOwn:\n\s+type: integer/);
});

test("`id` is the address in draft-04, and a name like any other elsewhere", () => {
  const properties = { id: text, x: { $ref: "x.json" } };
  const schema = { id: "https://a.example/all.json", type: "object", properties };
  const others = { "https://a.example/x.json": whole, "x.json": text };
  const draft04 = "http://json-schema.org/draft-04/schema#";
  expect(imported({ $schema: draft04, ...schema }, others)).toEqual({
    types: expect.stringContaining("integer"),
    said: [],
  });
  expect(imported(schema, others).types).not.toContain("integer");
});

test("a prefix may still be that of the reference as it stands", () => {
  const document = { $id: "https://a.example/all.json", $defs: { T: { $ref: "./x.json" } } };
  expect(imported(document, { "./x.json": text }).said).toEqual([]);
});

test("an `$id` inside an example or a constant means nothing", () => {
  const example = { $id: "https://b.example/", $ref: "#/nowhere" };
  const document = {
    $id: "https://a.example/all.json",
    $defs: { T: { ...text, examples: [example] }, U: { $ref: "https://b.example/" } },
  };
  expect(imported(document).said).toEqual(["no https://b.example/"]);
});
