import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import type { CodeScope, Place } from "./code-scope.ts";
import { when, type Statements } from "./statements.ts";

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
