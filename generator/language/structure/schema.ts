import schemaFile from "../../../spec/schema/spec.schema.json" with { type: "json" };
import { languageOf, protocolNames } from "../../protocols/languages.ts";
import type { Protocol } from "./protocols.ts";
import { oncePerText } from "../source/once-per.ts";

/** The part of JSON Schema that the schema of the spec language is written in; `anyOf` there is for editors only. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly string[];
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly enum?: readonly (string | number)[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** Keys by regular expression; what stands there may be anything. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  /** Alternatives of different types. */
  readonly oneOf?: readonly SchemaNode[];
}

/** The schema of a spec file: the one that editors use. */
export const specSchema: SchemaNode = schemaFile;

/** A protocol is a folder of the generator: the schema in the file names only those that editors should offer. */
const definitions: ReadonlyMap<string, SchemaNode> = new Map(
  Object.entries<SchemaNode>({
    ...schemaFile.definitions,
    protocol: { ...schemaFile.definitions.protocol, enum: protocolNames },
  }),
);

/** A schema and, where it is a definition, its name. */
export interface Resolved {
  readonly schema: SchemaNode;
  readonly name?: string;
}

/** Follows `$ref`. */
export function resolved(schema: SchemaNode): Resolved {
  let at: Resolved = { schema };
  while (at.schema.$ref !== undefined) {
    const name = at.schema.$ref.replace("#/definitions/", "");
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`the spec schema has no definition ${name}`);
    at = { schema: definition, name };
  }
  return at;
}

/** The JSON types that a value may have. */
export function typesOf(schema: SchemaNode): readonly string[] {
  const { schema: at } = resolved(schema);
  if (at.oneOf !== undefined) return at.oneOf.flatMap(typesOf);
  if (at.type === undefined) return [];
  return typeof at.type === "string" ? [at.type] : at.type;
}

const expressionOf = oncePerText((pattern) => new RegExp(pattern, "u"));

export function matches(pattern: string, text: string): boolean {
  return expressionOf(pattern).test(text);
}

/** Whether a text is written as the definition asks. */
export function isWrittenLike(definition: "revision", text: string): boolean {
  return matches(schemaFile.definitions[definition].pattern, text);
}

/** Whether a method's name is written as its protocol asks. */
export function isMethodName(protocol: Protocol, text: string): boolean {
  return matches(languageOf(protocol).methodName.pattern, text);
}

/** The conditions that the runtime of an interface detects; an interface says how each is reported. */
export function faultNames(protocol: Protocol): readonly string[] {
  const foreign = languageOf(protocol).foreign["faults"] ?? {};
  return Object.keys(schemaFile.definitions.faults.properties).filter(
    (name) => !Object.hasOwn(foreign, name),
  );
}
