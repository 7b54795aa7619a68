import { _, Ajv, stringify, type Code, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { or } from "ajv/dist/compile/codegen/index.js";
import { SchemaEnv } from "ajv/dist/compile/index.js";
import standalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "../../print/json-schema.ts";
import { formatPatterns } from "../../print/string-formats.ts";

/** What Ajv prints for one schema. */
export interface AjvSource {
  /** A whole module, one statement a line. */
  readonly code: string;
  /** The function that checks the schema itself. */
  readonly rootFunction: string;
  /** The functions that check its definitions, with the definitions' names. */
  readonly definitionFunctions: ReadonlyMap<string, string>;
}

/**
 * The source of Ajv's own standalone validator for a schema that stands alone.
 *
 * Ajv's default dialect reads what our schemas say exactly as its 2020-12 dialect does (a test compares the two), and
 * is preferred to it because it starts faster and does not add code for dynamic references and unevaluated
 * properties to validators that have neither.
 */
export function ajvSource(schema: JsonSchema): AjvSource {
  // A compiler for each schema, because Ajv numbers its variables over the life of a compiler: what is printed for
  // one schema must not depend on which were printed before.
  const compiler = new Ajv({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    ownProperties: true,
    inlineRefs: false,
    messages: false,
    meta: false,
    validateSchema: false,
    loopRequired: Infinity,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  compiler.removeKeyword("enum").addKeyword(enumKeyword);
  for (const format of Object.keys(formatPatterns)) compiler.addFormat(format, () => true);
  const validate = compiler.compile(schema);
  const { refs, validateName } = validate.schemaEnv;
  const definitionFunctions = Object.entries(refs).flatMap(([ref, target]) =>
    target instanceof SchemaEnv
      ? [[String(target.validateName), decodeURIComponent(ref.replace(/^.*\//, ""))] as const]
      : [],
  );
  return {
    code: standalone.default(compiler, validate),
    rootFunction: String(validateName),
    definitionFunctions: new Map(definitionFunctions),
  };
}

/** Ajv's own nests the comparisons of all values in one another: more than a thousand are too deep for any parser. */
const enumKeyword: CodeKeywordDefinition = {
  keyword: "enum",
  schemaType: "array",
  error: {
    message: "must be equal to one of the allowed values",
    params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
  },
  code(context: KeywordCxt) {
    const values: readonly unknown[] = Array.isArray(context.schema) ? context.schema : [];
    context.pass(anyOf(values.map((value) => _`${context.data} === ${stringify(value)}`)));
  },
};

const nestedMax = 64;

/** As Ajv nests them where they are few; else half by half. */
function anyOf(conditions: readonly Code[]): Code {
  if (conditions.length <= nestedMax) return or(...conditions);
  const middle = Math.floor(conditions.length / 2);
  return or(anyOf(conditions.slice(0, middle)), anyOf(conditions.slice(middle)));
}
