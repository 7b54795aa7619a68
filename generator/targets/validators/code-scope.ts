import { supportNames, type SupportName } from "../support/support-source.ts";
import type { JsonSchema, JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { mapSubschemas, subschemas } from "../../print/json-schema/walk.ts";

/** The names that the code of one validator uses. */
export interface CodeScope {
  /** A new name inside a function: `data0`, `data1` … */
  name(prefix: string): string;
  /** The name of the function that checks a type: `checkMoney`. */
  check(type: string): string;
  /** The name of a constant list at the top of the module; equal lists share one. */
  list(prefix: "allowed" | "required", values: readonly unknown[]): string;
  /** A call of a function of `support.js`, which the module has to import. */
  call(name: SupportName, ...args: readonly string[]): string;
  /** The declarations of all lists, one a line. */
  listDeclarations(): readonly string[];
  /** The functions that were called, in the order of `support.js`. */
  supportCalled(): readonly SupportName[];
  /** The types whose functions were called. */
  typesCalled(): readonly string[];
}

/** `checked` is the name of what is checked, which the lists have in theirs. */
export function createCodeScope(checked: string): CodeScope {
  const counts = new Map<string, number>();
  const lists = new Map<string, string>();
  const called = new Set<SupportName>();
  const types = new Set<string>();
  const name = (prefix: string): string => {
    const count = counts.get(prefix) ?? 0;
    counts.set(prefix, count + 1);
    return `${prefix}${count}`;
  };
  return {
    name,
    check: (type) => {
      types.add(type);
      return `check${type}`;
    },
    list: (prefix, values) => {
      const text = JSON.stringify(values);
      const key = `${prefix} = ${text}`;
      const known = lists.get(key) ?? `${name(prefix)}$${checked}`;
      lists.set(key, known);
      return known;
    },
    call: (support, ...args) => {
      called.add(support);
      return `${support}(${args.join(", ")})`;
    },
    listDeclarations: () => [...lists].map(([key, list]) => `const ${list}${key.slice(key.indexOf(" ="))};`),
    supportCalled: () => supportNames.filter((each) => called.has(each)),
    typesCalled: () => [...types],
  };
}

/** A place in the checked value: an expression for the value, and one for the JSON Pointer to it. */
export interface Place {
  readonly value: string;
  readonly pointer: string;
}

/** The place of a property. */
export function propertyPlace({ value, pointer }: Place, name: string): Place {
  const access = /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  const step = JSON.stringify(`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return { value: `${value}${access}`, pointer: joined(pointer, step) };
}

/** The place of an item; `index` is an expression for a number. */
export function itemPlace({ value, pointer }: Place, index: string): Place {
  return { value: `${value}[${index}]`, pointer: `${joined(pointer, '"/"')} + ${index}` };
}

/** Two texts that are added; literals become one. */
function joined(left: string, literal: string): string {
  return left.endsWith('"') ? `${left.slice(0, -1)}${literal.slice(1)}` : `${left} + ${literal}`;
}

/** The schema with the plain texts and numbers that it refers to in their place. All other references stay. */
export function withPlainTypes(schema: JsonSchema, { definitions }: JsonSchemas): JsonSchema {
  const replaced = (part: JsonSchema): JsonSchema => {
    const { $ref, ...rest } = mapSubschemas(part, replaced);
    if ($ref === undefined) return rest;
    const definition = definitions[nameIn($ref)];
    if (definition === undefined) throw new Error(`no definition ${$ref}`);
    return isPlain(definition.schema) ? { ...replaced(definition.schema), ...rest } : { $ref, ...rest };
  };
  return replaced(schema);
}

/** The name of the definition that a reference leads to. */
export function nameIn(ref: string): string {
  return ref.slice("#/$defs/".length);
}

/** A text, number or boolean, whose checks are shorter than a function. A list of values is not. */
function isPlain(schema: JsonSchema): boolean {
  const { type, enum: values } = schema;
  const isScalar = type !== undefined && type !== "object" && type !== "array";
  return isScalar && values === undefined && subschemas(schema).length === 0;
}
