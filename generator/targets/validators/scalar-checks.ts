import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import { propertyPlace, type CodeScope, type Place } from "./code-scope.ts";
import type { SupportName } from "../support/support-source.ts";

export function numberChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const bound = (keyword: string, limit: number | undefined, outside: string, comparison: string) =>
    limit === undefined
      ? []
      : failIf(`${place.value} ${outside} ${limit}`, scope, place, keyword, { comparison, limit });
  return [
    ...bound("maximum", maximum, ">", "<="),
    ...bound("minimum", minimum, "<", ">="),
    ...bound("exclusiveMaximum", exclusiveMaximum, ">=", "<"),
    ...bound("exclusiveMinimum", exclusiveMinimum, "<=", ">"),
  ];
}

export function stringChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const { minLength: least, maxLength: most, pattern, format } = schema;
  const { value } = place;
  const length = () => scope.call("length", value);
  // A code point is one or two units: most texts need not be counted.
  const tooLong = () => `${value}.length > ${most} && ${length()} > ${most}`;
  const tooShort = (limit: number) =>
    limit === 1 ? `${value} === ""` : `${value}.length < ${2 * limit} && ${length()} < ${limit}`;
  return [
    ...(most === undefined ? [] : failIf(tooLong(), scope, place, "maxLength", { limit: most })),
    ...(least === undefined ? [] : failIf(tooShort(least), scope, place, "minLength", { limit: least })),
    ...(pattern === undefined
      ? []
      : failIf(`!${String(new RegExp(pattern, "u"))}.test(${value})`, scope, place, "pattern", { pattern })),
    ...(format === undefined
      ? []
      : failIf(`!${scope.call(formatFunction(format), value)}`, scope, place, "format", { format })),
  ];
}

function formatFunction(format: string): SupportName {
  if (!isStringFormat(format)) throw new Error(`there is no format ${format}`);
  return formatFunctions[format];
}

export function enumChecks(values: readonly unknown[], place: Place, scope: CodeScope): Statements {
  const list = scope.list("allowed", values);
  const isNone =
    values.length > 4
      ? `!${list}.includes(${place.value})`
      : values.map((value) => `${place.value} !== ${JSON.stringify(value)}`).join(" && ");
  return failIf(isNone, scope, place, "enum", `allowedValues: ${list}`);
}

/**
 * Conditions of our schemas ask whether an object has a property with one of some values, or whether the property, if
 * present, has one.
 */
export function conditionOf(
  { properties = {}, required = [], ...rest }: JsonSchema,
  place: Place,
  scope: CodeScope,
): string {
  const [[name, schema] = ["", {}], ...others] = Object.entries(properties);
  const { const: constant, enum: values = [constant], ...more } = schema;
  const isOurs =
    others.length === 0 && required.every((each) => each === name) && name !== "" && values[0] !== undefined;
  if (!isOurs || Object.keys(rest).length + Object.keys(more).length > 0)
    throw new Error(`no condition is printed for ${JSON.stringify({ properties, required, ...rest })}`);
  const { value } = propertyPlace(place, name);
  const comparison =
    values.length === 1
      ? `${value} === ${JSON.stringify(values[0])}`
      : `${scope.list("allowed", values)}.includes(${value})`;
  const test =
    required.length > 0
      ? `${memberTest(place, name)} && ${comparison}`
      : `(!${memberTest(place, name)} || ${comparison})`;
  return `${typeTest("object", place.value, scope)} && ${test}`;
}

export type JsonType = NonNullable<JsonSchema["type"]>;

export function typeTest(type: JsonType, value: string, scope: CodeScope): string {
  switch (type) {
    case "number":
      return `Number.isFinite(${value})`;
    case "integer":
      return `Number.isInteger(${value})`;
    case "array":
      return `Array.isArray(${value})`;
    case "object":
      return scope.call("isObject", value);
    case "null":
      return `${value} === null`;
    case "string":
    case "boolean":
      return `typeof ${value} === "${type}"`;
  }
}

export function wrongTypeTest(type: JsonType, value: string, scope: CodeScope): string {
  if (type === "null") return `${value} !== null`;
  return type === "string" || type === "boolean"
    ? `typeof ${value} !== "${type}"`
    : `!${typeTest(type, value, scope)}`;
}

/** Reports an error; parameters are JSON, or `name: expression` where they are text. */
export function fail(
  scope: CodeScope,
  { pointer }: Place,
  keyword: string,
  params: string | Readonly<Record<string, unknown>>,
): string {
  const printed = typeof params === "string" ? params : JSON.stringify(params).slice(1, -1);
  return `${scope.call("fail", "errors", pointer, JSON.stringify(keyword), `{${printed}}`)};`;
}

export function failIf(test: string, ...error: Parameters<typeof fail>): Statements {
  return when(test, [fail(...error)]);
}

export function memberTest({ value }: Place, name: string): string {
  return `Object.hasOwn(${value}, ${JSON.stringify(name)})`;
}

/** Statements of JavaScript, in order. */
export type Statements = readonly (string | IfStatement)[];

interface IfStatement {
  readonly test: string;
  readonly body: Statements;
  readonly otherwise: Statements;
}

/** An `if`; none where it has nothing to do, and one where it would hold nothing but another. */
export function when(test: string, body: Statements, otherwise: Statements = []): Statements {
  if (body.length === 0 && otherwise.length === 0) return [];
  const [inner, ...rest] = body;
  const isOne = otherwise.length === 0 && rest.length === 0;
  if (isOne && typeof inner === "object" && inner.otherwise.length === 0)
    return [{ ...inner, test: `${test} && ${inner.test}` }];
  return [{ test, body, otherwise }];
}

/** The text, one statement a line; the formatter indents it. */
export function printStatements(statements: Statements): string {
  return statements.map(printStatement).join("\n");
}

function printStatement(statement: string | IfStatement): string {
  if (typeof statement === "string") return statement;
  const { test, body, otherwise } = statement;
  const rest = otherwise.length === 0 ? "" : ` else {\n${printStatements(otherwise)}\n}`;
  return `if (${test}) {\n${printStatements(body)}\n}${rest}`;
}
