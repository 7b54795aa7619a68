import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { unreadable, UsageError } from "../../../runtime/operations/cli/index.ts";
import { isObject, exactNumber, jsonIn } from "./request-text.ts";

/** The parts of a JSON Schema that a flag is made of. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly "x-format"?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
}

/** A request field that a flag gives: `contact.email` is `--contact.email`. */
export interface Field {
  readonly path: readonly string[];
  readonly flag: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

type Resolve = (reference: string) => Schema;

/** Deeper objects and lists of objects are given as JSON, or by `--from`. */
const depthMax = 3;

/** Longer lists of values are part of the text beside the flag, which is wrapped. */
const placeholderMax = 30;

/** The fields of a payload, those of nested objects too, in the order of the schema. */
export function fieldsOf(payload: Schema, resolve: Resolve): readonly Field[] {
  const fields = new Map<string, Field>();
  collect(payload, []);
  return [...fields.values()];

  function collect(schema: Schema, parents: readonly string[], isRequired = true): void {
    const required = requiredOf(schema, resolve);
    for (const [name, given] of Object.entries(propertiesOf(schema, resolve))) {
      const property = merged(given, resolve);
      const path = [...parents, name];
      const isNeeded = isRequired && required.includes(name);
      if (property.type === "object" && path.length < depthMax) collect(given, path, isNeeded);
      else {
        const flag = path.map(kebab).join(".");
        const former = fields.get(flag);
        if (former === undefined || property.enum !== undefined)
          fields.set(flag, { path, flag, schema: property, isRequired: isNeeded });
      }
    }
  }
}

/** The flag of a field; `--help` shows its type, its values and what the interface says of it. */
export function optionOf(field: Field): Option {
  const { schema, isRequired } = field;
  const written = placeholder(schema);
  const isLong = written.length > placeholderMax;
  const sentences = [
    firstSentence(schema.description ?? ""),
    isLong ? `One of ${written.replaceAll("|", ", ")}.` : "",
    isRequired ? "Needed." : "",
  ];
  const doc = sentences.filter((text) => text !== "").join(" ");
  const option = new Option(flagText(field), doc);
  if (isTextList(schema)) {
    const { items = {} } = schema;
    return option.argParser((text: string) => text.split(",").map((item) => known(item, items)));
  }
  return option.argParser((text: string) => valueOf(text, schema));
}

/** Puts a value where its path says, in a copy. */
export function withValue(target: object, path: readonly string[], value: unknown): object {
  const [name = "", ...rest] = path;
  if (rest.length === 0) return { ...target, [name]: value };
  const inner = valueAt(target, [name]);
  return { ...target, [name]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

/** The value at a path, if there is one. */
export function valueAt(target: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      isObject(value) ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined,
    target,
  );
}

/** A flag with its kind of value, as help shows it: `--status <ACTIVE|BLOCKED>`. */
export function flagText({ flag, schema }: Field): string {
  const written = placeholder(schema);
  return `--${flag} <${written.length > placeholderMax ? "value" : written}>`;
}

function valueOf(text: string, schema: Schema): unknown {
  if (schema["x-format"] === "pem") return fileText(text);
  if (schema.type === "boolean") return oneOf(text, { true: true, false: false });
  if (schema.type === "integer" || schema.type === "number") {
    return refusing(() => exactNumber(text));
  }
  if (schema.type === "object" || schema.type === "array") return parsed(text);
  return known(text, schema);
}

/** A text that is one of the values that there are, where the schema lists them. */
function known(text: string, schema: Schema): string {
  const values = valuesOf(schema)?.map(String);
  if (values?.includes(text) === false) throw new InvalidArgumentError(`It is one of ${values.join(", ")}.`);
  return text;
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
}

function oneOf<Value>(text: string, values: Readonly<Record<string, Value>>): Value {
  const found = Object.entries(values).find(([name]) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Write one of ${Object.keys(values).join(", ")}.`);
  return found[1];
}

function parsed(text: string): unknown {
  try {
    return jsonIn(text);
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message);
    throw new InvalidArgumentError(`It is not JSON: ${error instanceof Error ? error.message : ""}`);
  }
}

function refusing<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function fileText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvalidArgumentError(`It is the path of a file, which ${unreadable(error)}.`);
  }
}

function placeholder(schema: Schema): string {
  if (schema["x-format"] === "pem") return "file";
  if (schema["x-format"] !== undefined) return schema["x-format"];
  if (schema.type === "boolean") return "true|false";
  const values = valuesOf(schema);
  if (values !== undefined) return values.join("|");
  if (isTextList(schema)) return "text,…";
  return schema.type === "object" || schema.type === "array" ? "json" : String(schema.type ?? "text");
}

function isTextList({ type, items }: Schema): boolean {
  return type === "array" && items?.type === "string";
}

/** A schema with those that it refers to and all of which hold. */
function merged(schema: Schema, resolve: Resolve): Schema {
  const parts = [
    ...(schema.$ref === undefined ? [] : [merged(resolve(schema.$ref), resolve)]),
    ...(schema.allOf ?? []).map((part) => merged(part, resolve)),
  ];
  const whole: Schema = Object.assign({}, ...parts, schema);
  return whole.items === undefined ? whole : { ...whole, items: merged(whole.items, resolve) };
}

function propertiesOf(schema: Schema, resolve: Resolve): Readonly<Record<string, Schema>> {
  const whole = merged(schema, resolve);
  const branches = [...(whole.allOf ?? []), ...(whole.anyOf ?? []), ...(whole.oneOf ?? [])];
  if (whole.then !== undefined) branches.push(whole.then);
  return Object.assign({}, whole.properties, ...branches.map((branch) => propertiesOf(branch, resolve)), {
    ...enumerated(whole),
  });
}

/** A choice between forms says all its values at the top, and one of them in each form. */
function enumerated({ properties = {} }: Schema): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, { enum: values }]) => values !== undefined),
  );
}

function requiredOf(schema: Schema, resolve: Resolve): readonly string[] {
  const whole = merged(schema, resolve);
  return [...(schema.required ?? []), ...(whole.required ?? [])];
}

function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}

function firstSentence(doc: string): string {
  return doc.split(/\n|(?<=\.) /, 1)[0] ?? "";
}
