import { Ajv, type ValidateFunction } from "ajv";
import { jsonOf, type Json } from "../../tools/import/index.ts";
import { fc } from "../seed.ts";
import { reExport } from "./re-export.ts";

/** A document of named schemas, which refer to one another. */
export type Schemas = Readonly<Record<string, object>>;

const members = ["a", "b", "c"] as const;
const texts = ["", "x", "ab", "a-z", "+='\"", "0f1a", "A@b,c"];

const pattern = fc.constantFrom(
  "^[0-9a-f]{4}$",
  "^[a\\-z\\']+$",
  '[+\\-=\\"]',
  "^\\w+\\@\\w+\\,c$",
  "^a|b$",
  "x",
);
const bound = fc.integer({ min: 0, max: 4 });

/** Keywords that go with any of these types, some of them absent. */
function withType(type: string, keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  return fc.record({ type: fc.constant(type), ...keywords }, { requiredKeys: ["type"] });
}

/** Schemas that refer to these names. */
function schemaOver(names: readonly string[]): fc.Arbitrary<object> {
  const reference = fc.constantFrom(...names).map((name) => ({ $ref: `#/$defs/${name}` }));
  return fc.letrec<{ readonly schema: object; readonly branch: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true, depthIdentifier: "schema" },
      withType("string", {
        minLength: bound,
        maxLength: bound,
        pattern,
        enum: fc.subarray(texts, { minLength: 1 }),
      }),
      withType("integer", { minimum: bound, maximum: bound, exclusiveMinimum: bound }),
      withType("boolean", {}),
      withType("null", {}),
      reference,
      withType("array", {
        items: tie("schema"),
        minItems: bound,
        maxItems: bound,
        uniqueItems: fc.boolean(),
      }),
      withType("object", {
        properties: fc.dictionary(fc.constantFrom(...members), tie("schema"), { maxKeys: 3 }),
        required: fc.subarray([...members], { maxLength: 2 }),
        additionalProperties: fc.constant(false),
        oneOf: fc.array(tie("branch"), { minLength: 1, maxLength: 3 }),
        anyOf: fc.array(tie("branch"), { minLength: 1, maxLength: 3 }),
        allOf: fc.array(tie("branch"), { minLength: 1, maxLength: 2 }),
      }),
      fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
      // Narrowing beside a reference.
      fc.tuple(reference, tie("branch")).map(([ref, branch]) => ({ ...branch, ...ref })),
    ),
    branch: fc.oneof(
      { maxDepth: 3, depthIdentifier: "branch" },
      fc.record(
        {
          type: fc.constant("object"),
          required: fc.subarray([...members], { minLength: 1, maxLength: 2 }),
          properties: fc.dictionary(fc.constantFrom(...members), tie("schema"), { maxKeys: 2 }),
        },
        { requiredKeys: ["required"] },
      ),
      reference,
      tie("schema"),
    ),
  })).schema;
}

export const schemasOf: fc.Arbitrary<Schemas> = fc.record({
  A: schemaOver(["B", "C"]),
  B: schemaOver(["C", "D"]),
  C: schemaOver(["D"]),
  D: fc.constantFrom({ type: "string", pattern: "^[0-9a-f]{4}$" }, { type: "integer", maximum: 3 }),
});

/** Objects as JSON.parse makes them: Ajv compares items by their `valueOf`. */
const objectOf = (member: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.constantFrom(...members), member, { maxKeys: 3, noNullPrototype: true });

const leaf = fc.oneof(fc.constantFrom(...texts, null, true), fc.integer({ min: -1, max: 5 }));

export const values: fc.Arbitrary<readonly unknown[]> = fc.array(
  fc.letrec<{ readonly value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: "value" },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      objectOf(tie("value")),
      objectOf(leaf),
    ),
  })).value,
  { minLength: 20, maxLength: 20 },
);

export interface Compared {
  readonly judged: number;
  readonly differences: readonly string[];
}

/** Judges values by the schemas that the import calls exact, and by their re-export. */
export function compared(given: Schemas, candidates: readonly unknown[]): Compared {
  const document = jsonOf({ $defs: given });
  const { imported, model, openrpc } = reExport(document);
  const exact = imported.report.entries.filter(({ verdict }) => verdict === "exact");
  if (model === undefined || exact.length === 0) return { judged: 0, differences: [] };
  const [theirs, ours] = [judgeOf(document), judgeOf(openrpc)];
  const differences: string[] = [];
  let judged = 0;
  for (const { name, pointer } of exact) {
    const type = model.types.find((each) => each.name === name);
    if (type === undefined) continue;
    const [original, exported] = [theirs(pointer), ours(`#/components/schemas/${type.names.type}`)];
    for (const value of candidates) {
      const verdict = verdictOf(original, value);
      if (verdict === undefined) continue;
      judged += 1;
      if (verdict !== exported(value))
        differences.push(
          `${name} ${verdict ? "takes" : "refuses"} ${JSON.stringify(value)}: ${JSON.stringify(given)}`,
        );
    }
  }
  return { judged, differences };
}

/** Undefined where a schema is an alternative of itself, which Ajv never stops to look at. */
function verdictOf(judge: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return judge(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function judgeOf(document: Json): (pointer: string) => ValidateFunction {
  const unicodeRegExp = false;
  const ajv = new Ajv({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    unicodeRegExp,
  });
  ajv.addSchema({ $id: "document", ...Object(document) });
  return (pointer) => ajv.compile({ $ref: `document${pointer}` });
}
