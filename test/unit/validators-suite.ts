import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { PayloadValidator } from "../../runtime/contract/index.ts";
import { mapSubschemas } from "../../generator/print/json-schema/walk.ts";
import { taggedCases } from "../../generator/print/json-schema/tagged-cases.ts";
import { jsonSchemas, type JsonSchema } from "../../generator/print/json-schema/json-schema.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";
import { checkedInterface, type CheckedInterface } from "../vectors/checked-interface.ts";
import { formatAccepts } from "../../conformance/values/index.ts";
import { checkedSpecs, modelOf } from "../vectors/models.ts";
import { evenly, vectorsOf, type VectorGroup } from "../vectors/vectors-of.ts";
import { formatFunctions, isStringFormat } from "../../generator/print/string-formats.ts";

/** How many of all vectors are tried. */
export interface Share {
  /** Payloads, results and events of each spec. */
  readonly groups: number;
  /** Vectors of each group. */
  readonly most: number;
  /** Vectors of each group whose errors are compared too; with 0 Ajv compiles no published schema. */
  readonly reported: number;
}

/** Holds what is generated to validate each spec against the spec, Ajv and zod, on a share of the vectors. */
export function describeValidators(share: Share): void {
  describe.each(checkedSpecs())("what is generated to validate %s", (spec) => holdAgainst(spec, share));
}

function holdAgainst(spec: string, { groups: groupsMost, most, reported }: Share): void {
  const model = modelOf(spec);
  let groups: readonly VectorGroup[];
  let checked: CheckedInterface;

  beforeAll(async () => {
    // These two are small and have every rule and type: a sample passes over the values at one bound or another.
    const isWhole = spec.startsWith("test/vectors/");
    groups = vectorsOf(model, isWhole ? {} : { groups: groupsMost, most });
    checked = await checkedInterface(model);
  });
  afterAll(() => checked.remove());

  test("judges every vector as the spec does, with Ajv and with zod", async () => {
    for (const group of groups) {
      const validate = await checked.validator(group.validator);
      const schema = await checked.zodSchema(group.schema);
      const wrong = group.tests.flatMap(({ description, data, valid }) => {
        const verdicts = { ajv: validate(data), zod: schema.safeParse(data).success };
        return verdicts.ajv === valid && verdicts.zod === valid
          ? []
          : [
              `${description}: expected ${valid}, got ${JSON.stringify(verdicts)} for ${JSON.stringify(data)}`,
            ];
      });
      expect([group.description, ...wrong.slice(0, 5)]).toEqual([group.description]);
    }
  });

  test.runIf(reported > 0)(
    "reports the errors that Ajv itself reports for the published schema",
    async () => {
      const schemas = publishedSchemas(model);
      for (const group of groups) {
        const validate = await checked.validator(group.validator);
        const original = schemas(group);
        const reports = evenly(group.tests, reported).map(({ description, data }) => {
          original(data);
          validate(data);
          return { description, original: errorsOf(original), generated: errorsOf(validate) };
        });
        const different = reports.filter(({ original, generated }) => original !== generated);
        expect([group.description, ...different.slice(0, 5)]).toEqual([group.description]);
      }
    },
  );
}

/** Ajv with everything, on the schemas as other emitters publish them. */
function publishedSchemas(model: ServiceModel) {
  const schemas = jsonSchemas(model);
  const ajv = new Ajv2020({
    allErrors: true,
    ownProperties: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  });
  for (const format of Object.keys(formatFunctions).filter(isStringFormat)) {
    ajv.addFormat(format, (text) => formatAccepts(format, text));
  }
  ajv.addKeyword("x-format");
  ajv.addKeyword("x-extensible-enum");
  const definitions = Object.values(schemas.definitions).map(({ name, schema }) => [name, schema] as const);
  const roots = new Map<string, JsonSchema>([
    ...model.methods.flatMap((method) => [
      [`payload of ${method.name}`, schemas.payload(method)] as const,
      [`result of ${method.name}`, schemas.result(method)] as const,
    ]),
    ...model.events.map((event) => [`payload of event ${event.name}`, schemas.event(event)] as const),
  ]);
  const places = new Map([...roots.keys()].map((description, at) => [description, `root-${at}`]));
  // Printed validators report the errors of the case that a tag names, where oneOf reports those of every case.
  const placed = [...roots].map(([description, schema]) => [places.get(description), schema] as const);
  // In one document, so that each definition is compiled once.
  ajv.addSchema({
    $id: "urn:test:published",
    $defs: Object.fromEntries(
      [...definitions, ...placed].map(([name, schema]) => [name, schema && byCase(schema)]),
    ),
  });
  return ({ description }: VectorGroup) => {
    const validate = ajv.getSchema(`urn:test:published#/$defs/${places.get(description)}`);
    if (validate === undefined) throw new Error(`there is no schema of the ${description}`);
    return validate;
  };
}

/** A schema with conditions in the place of tagged cases. */
function byCase(given: JsonSchema): JsonSchema {
  const schema = mapSubschemas(given, byCase);
  const tagged = taggedCases(schema);
  if (tagged === undefined) return schema;
  const { oneOf: _, ...rest } = schema;
  const { tag, cases } = tagged;
  const conditions = cases.map(({ value, schema: consequence }) => ({
    if: { type: "object" as const, properties: { [tag]: { const: value } }, required: [tag] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: consequence,
  }));
  return {
    ...rest,
    properties: { [tag]: { enum: cases.map(({ value }) => value) } },
    allOf: conditions,
  };
}

/** Errors in one order and without what the generated validators leave out. */
function errorsOf({ errors }: { errors?: PayloadValidator["errors"] | readonly ErrorObject[] }): string {
  return (errors ?? [])
    .filter(({ keyword }) => keyword !== "if")
    .map(({ instancePath, keyword, params }) =>
      // Which of two equal items is the first depends on how Ajv finds them.
      JSON.stringify({ instancePath, keyword, params: keyword === "uniqueItems" ? {} : params }),
    )
    .toSorted()
    .join("\n");
}
