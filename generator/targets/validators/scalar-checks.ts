import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import { propertyPlace, type CodeScope, type Place } from "./code-scope.ts";
import type { Statements } from "./statements.ts";
import type { SupportName } from "../support/support-source.ts";
import { failIf, memberTest, typeTest } from "./tests-and-errors.ts";

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
