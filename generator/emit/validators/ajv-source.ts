import { _, Ajv } from "ajv";
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
    loopEnum: Infinity,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
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
