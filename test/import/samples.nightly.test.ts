import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { jsonOf, type Json } from "../../tools/import/index.ts";
import { resolve, type ServiceModel, type Shape } from "../../generator/model/index.ts";
import { instanceOf, mutationsOf, type SampleReading } from "../../conformance/samples/index.ts";
import { packagedDocuments } from "./acceptance.ts";
import { reExport } from "./re-export.ts";

/**
 * Ajv judges the same values by the document's own schemas and by the exported ones. The values are made from the
 * spec: some fit, and some touch a rule. A type that was not taken exactly is left out.
 */
describe("The schemas of a document and those of its re-export", () => {
  test("judge values alike", () => {
    let judged = 0;
    let accepted = 0;
    for (const [name, document] of packagedDocuments) {
      const { imported, model, openrpc } = reExport(jsonOf(document), { lossy: true });
      if (model === undefined) throw new Error(`${name} was not taken`);
      const [ours, theirs] = [judgeOf(openrpc), judgeOf(jsonOf(document))];
      const exact = imported.report.entries.filter(
        (each) => each.kind === "type" && each.verdict === "exact",
      );
      for (const { name: type, pointer, findings } of exact) {
        // Where a type was read into a schema without one, the document's schema takes more, as the report says.
        if (findings.length > 0) continue;
        const found = model.types.find((each) => each.name === type);
        if (found === undefined) continue;
        const [exported, given] = [ours(`#/components/schemas/${found.names.type}`), theirs(pointer)];
        for (const value of valuesOf(found.shape, model)) {
          judged += 1;
          const verdict = given(value);
          if (verdict) accepted += 1;
          if (exported(value) !== verdict) expect({ name, type, value, verdict }).toBe("judged alike");
        }
      }
    }
    expect(judged).toBeGreaterThan(500);
    expect(accepted).toBeGreaterThan(100);
    expect(judged - accepted).toBeGreaterThan(100);
  });

  test("are told apart where they differ", () => {
    const [, document] = packagedDocuments.find(([name]) => name === "petstore") ?? [];
    const changed = JSON.parse(JSON.stringify(document).replace('"minimum":0', '"minimum":5'));
    const [ours, theirs] = [jsonOf(changed), jsonOf(document)].map((each) =>
      judgeOf(each)("#/components/schemas/PetId"),
    );
    expect(ours?.(1)).not.toBe(theirs?.(1));
  });
});

function judgeOf(document: Json): (pointer: string) => ValidateFunction {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  ajv.addSchema({ $id: "document", ...Object(document) });
  return (pointer) => ajv.compile({ $ref: `document${pointer}` });
}

function valuesOf(shape: Shape, model: ServiceModel): readonly unknown[] {
  const reading: SampleReading = {
    direction: "response",
    resolve: (each: Shape) => resolve(model, each),
  };
  const bases = [instanceOf(shape, "minimal", reading), instanceOf(shape, "maximal", reading)];
  return [
    ...bases,
    ...bases.flatMap((base) => mutationsOf(shape, base, reading).map(({ data }) => data)),
    null,
    true,
    4,
    -1,
    2.5,
    "",
    "0x",
    "0x0",
    "0x01",
    "latest",
    [],
    ["0x1"],
    {},
    { a: 1 },
  ];
}
