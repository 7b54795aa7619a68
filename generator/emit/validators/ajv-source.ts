import core, { _ } from "ajv/dist/core.js";
import compile from "ajv/dist/compile/index.js";
import applicator from "ajv/dist/vocabularies/applicator/index.js";
import coreVocabulary from "ajv/dist/vocabularies/core/index.js";
import formatVocabulary from "ajv/dist/vocabularies/format/index.js";
import validation from "ajv/dist/vocabularies/validation/index.js";
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

/** The source of Ajv's own standalone validator for a schema that stands alone. */
export function ajvSource(schema: JsonSchema): AjvSource {
  // A compiler for each schema, because Ajv numbers its variables over the life of a compiler: what is printed for
  // one schema must not depend on which were printed before.
  const compiler = new SchemaCompiler({
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
    target instanceof compile.SchemaEnv
      ? [[String(target.validateName), ref.replace(/^.*\//, "")] as const]
      : [],
  );
  return {
    code: standalone.default(compiler, validate),
    rootFunction: String(validateName),
    definitionFunctions: new Map(definitionFunctions),
  };
}

/**
 * Ajv with the vocabularies of JSON Schema 2020-12 that our schemas use. The rest of the draft (unevaluated
 * properties, dynamic references, its meta-schemas) would make it slower to start and add code to every validator
 * that does nothing.
 */
class SchemaCompiler extends core.default {
  override _addVocabularies(): void {
    super._addVocabularies();
    this.addVocabulary(coreVocabulary.default);
    this.addVocabulary(validation.default);
    this.addVocabulary(applicator.default(true));
    this.addVocabulary(formatVocabulary.default);
  }
}
