import type { JsonSchema } from "../../print/json-schema.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import { createCodeScope, itemPlace, propertyPlace, type CodeScope, type Place } from "./code-scope.ts";
import { printStatements, when, type Statements } from "./statements.ts";
import type { SupportName } from "./support-source.ts";

/** The functions that check a value against a schema. */
export interface PrintedChecks {
  /** Constants, one function for each definition, and last `check<name>(data, path, errors)`. */
  readonly code: string;
  /** The functions of `support.js` that the code calls. */
  readonly support: readonly SupportName[];
}

/**
 * JavaScript that reports every error of a value with the keyword, place and parameters that Ajv gives it under
 * `allErrors`. Left out is what no reader needs: `if` errors, which only say that another error stands beside them, and
 * which items are equal. Throws for a keyword that schemas of specs do not have.
 */
export function printChecks(validator: string, { $defs = {}, ...root }: JsonSchema): PrintedChecks {
  const scope = createCodeScope(validator);
  const functions = [
    ...Object.entries($defs).map(([name, schema]) => checkFunction(scope.top(`check${name}`), schema, scope)),
    checkFunction(`check${validator}`, root, scope),
  ];
  const declarations = scope.listDeclarations();
  const constants = declarations.length === 0 ? [] : [declarations.join("\n")];
  return { code: [...constants, ...functions].join("\n\n"), support: scope.supportCalled() };
}

function checkFunction(name: string, schema: JsonSchema, scope: CodeScope): string {
  const body = checksOf(schema, { value: "data", pointer: "path" }, scope);
  return `function ${name}(data, path, errors) {\n${printStatements(body)}\n}`;
}

/** Keywords in the order of Ajv's groups: of numbers, strings, any value, arrays, objects. */
function checksOf(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  refuseUnknownKeywords(schema);
  const { type } = schema;
  const typeError = type === undefined ? [] : [fail(scope, place, "type", { type })];
  let isTypeChecked = type === undefined;
  const guarded = (group: JsonType, checks: Statements): Statements => {
    if (checks.length === 0) return [];
    if (group === type) isTypeChecked = true;
    return when(is(group, place.value, scope), checks, group === type ? typeError : []);
  };
  const groups = [
    ...guarded("number", numberChecks(schema, place, scope)),
    ...guarded("string", stringChecks(schema, place, scope)),
    ...anyValueChecks(schema, place, scope),
    ...guarded("array", arrayChecks(schema, place, scope)),
    ...guarded("object", objectChecks(schema, place, scope)),
  ];
  return type === undefined || isTypeChecked
    ? groups
    : [...when(isNot(type, place.value, scope), typeError), ...groups];
}

const known: ReadonlySet<string> = new Set(
  (
    "$ref default type const enum allOf anyOf oneOf if then minimum maximum exclusiveMinimum exclusiveMaximum minLength " +
    "maxLength pattern format minItems maxItems uniqueItems prefixItems items required properties propertyNames " +
    "additionalProperties"
  ).split(" "),
);

function refuseUnknownKeywords(schema: JsonSchema): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`no check is printed for ${unknown.join(", ")}`);
}

type JsonType = NonNullable<JsonSchema["type"]>;

function is(type: JsonType, value: string, scope: CodeScope): string {
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

function isNot(type: JsonType, value: string, scope: CodeScope): string {
  if (type === "null") return `${value} !== null`;
  return type === "string" || type === "boolean"
    ? `typeof ${value} !== "${type}"`
    : `!${is(type, value, scope)}`;
}

/** Reports an error; parameters are JSON, or `name: expression` where they are text. */
function fail(
  scope: CodeScope,
  { pointer }: Place,
  keyword: string,
  params: string | Readonly<Record<string, unknown>>,
): string {
  const printed = typeof params === "string" ? params : JSON.stringify(params).slice(1, -1);
  return `${scope.call("fail", "errors", pointer, JSON.stringify(keyword), `{${printed}}`)};`;
}

function failIf(test: string, ...error: Parameters<typeof fail>): Statements {
  return when(test, [fail(...error)]);
}

function numberChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
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

function stringChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
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

function anyValueChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf = [] } = schema;
  const { if: condition, then: consequence } = schema;
  return [
    ...($ref === undefined
      ? []
      : [`${scope.top(`check${definitionName($ref)}`)}(${place.value}, ${place.pointer}, errors);`]),
    ...(constant === undefined
      ? []
      : failIf(`${place.value} !== ${JSON.stringify(constant)}`, scope, place, "const", {
          allowedValue: constant,
        })),
    ...(anyOf === undefined ? [] : anyOfChecks(anyOf, place, scope)),
    ...(oneOf === undefined ? [] : oneOfChecks(oneOf, place, scope)),
    ...allOf.flatMap((each) => checksOf(each, place, scope)),
    ...(condition === undefined || consequence === undefined
      ? []
      : when(conditionOf(condition, place, scope), checksOf(consequence, place, scope))),
    ...(values === undefined ? [] : enumChecks(values, place, scope)),
  ];
}

function definitionName(ref: string): string {
  return ref.slice("#/$defs/".length);
}

function enumChecks(values: readonly unknown[], place: Place, scope: CodeScope): Statements {
  const list = scope.list("allowed", values);
  const isNone =
    values.length > 4
      ? `!${list}.includes(${place.value})`
      : values.map((value) => `${place.value} !== ${JSON.stringify(value)}`).join(" && ");
  return failIf(isNone, scope, place, "enum", `allowedValues: ${list}`);
}

/** Tries one schema after the other until one fits. The errors of those before it are dropped. */
function anyOfChecks(schemas: readonly JsonSchema[], place: Place, scope: CodeScope): Statements {
  if (schemas.every(asksForOneMember)) return anyMemberChecks(schemas, place, scope);
  const [before, fits] = [scope.name("before"), scope.name("fits")];
  const [first = [], ...others] = schemas.map((schema) => checksOf(schema, place, scope));
  const retry = (checks: Statements) => {
    const start = scope.name("start");
    const verdict = `${fits} = errors.length === ${start};`;
    return when(`!${fits}`, [`const ${start} = errors.length;`, ...checks, verdict]);
  };
  return [
    `const ${before} = errors.length;`,
    ...first,
    `let ${fits} = errors.length === ${before};`,
    ...others.flatMap(retry),
    ...when(fits, [`errors.length = ${before};`], [fail(scope, place, "anyOf", {})]),
  ];
}

/** Whether a schema says of an object that it has one member, and says nothing else. */
function asksForOneMember(schema: JsonSchema): schema is { readonly required: readonly [string] } {
  return Object.keys(schema).join() === "required" && schema.required?.length === 1;
}

/** `anyOf` over schemas that ask for a member each: nothing is reported where one of them is there. */
function anyMemberChecks(
  schemas: readonly { readonly required: readonly [string] }[],
  place: Place,
  scope: CodeScope,
): Statements {
  const names = schemas.map(({ required: [name] }) => name);
  const isMissing = [is("object", place.value, scope), ...names.map((name) => `!${has(place, name)}`)];
  return when(isMissing.join(" && "), [
    ...names.map((missingProperty) => fail(scope, place, "required", { missingProperty })),
    fail(scope, place, "anyOf", {}),
  ]);
}

/** Tries one schema after the other until two fit. Where exactly one does, the errors of the others are dropped. */
function oneOfChecks(schemas: readonly JsonSchema[], place: Place, scope: CodeScope): Statements {
  const [before, passing] = [scope.name("before"), scope.name("passing")];
  const tries = schemas.flatMap((schema, index) => {
    const start = scope.name("start");
    const verdict = `if (errors.length === ${start}) ${passing}.push(${index});`;
    const checks = checksOf(schema, place, scope);
    return when(`${passing}.length < 2`, [`const ${start} = errors.length;`, ...checks, verdict]);
  });
  const passingSchemas = `passingSchemas: ${passing}.length === 0 ? null : ${passing}`;
  const error = fail(scope, place, "oneOf", passingSchemas);
  return [
    `const ${before} = errors.length;`,
    `const ${passing} = [];`,
    ...tries,
    ...when(`${passing}.length === 1`, [`errors.length = ${before};`], [error]),
  ];
}

/** The conditions of our schemas ask whether an object has one property with one of some values. */
function conditionOf(
  { properties = {}, required = [], ...rest }: JsonSchema,
  place: Place,
  scope: CodeScope,
): string {
  const [[name, schema] = ["", {}], ...others] = Object.entries(properties);
  const { const: constant, enum: values = [constant], ...more } = schema;
  const isOurs =
    others.length === 0 && required.length === 1 && required[0] === name && values[0] !== undefined;
  if (!isOurs || Object.keys(rest).length + Object.keys(more).length > 0)
    throw new Error(`no condition is printed for ${JSON.stringify({ properties, required, ...rest })}`);
  const { value } = propertyPlace(place, name);
  const comparison =
    values.length === 1
      ? `${value} === ${JSON.stringify(values[0])}`
      : `${scope.list("allowed", values)}.includes(${value})`;
  return [is("object", place.value, scope), has(place, name), comparison].join(" && ");
}

function has({ value }: Place, name: string): string {
  return `Object.hasOwn(${value}, ${JSON.stringify(name)})`;
}

function arrayChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const { minItems: least, maxItems: most, uniqueItems, items, prefixItems = [] } = schema;
  const { value } = place;
  const index = scope.name("i");
  const itemChecks =
    items === undefined || items === false ? [] : partChecks(items, itemPlace(place, index), scope);
  return [
    ...(most === undefined
      ? []
      : failIf(`${value}.length > ${most}`, scope, place, "maxItems", { limit: most })),
    ...(least === undefined
      ? []
      : failIf(`${value}.length < ${least}`, scope, place, "minItems", { limit: least })),
    ...(uniqueItems === undefined
      ? []
      : failIf(scope.call("hasEqualItems", value), scope, place, "uniqueItems", {})),
    ...prefixItems.flatMap((item, at) =>
      when(`${value}.length > ${at}`, partChecks(item, itemPlace(place, String(at)), scope)),
    ),
    ...(items === false
      ? failIf(`${value}.length > ${prefixItems.length}`, scope, place, "items", {
          limit: prefixItems.length,
        })
      : []),
    ...(itemChecks.length === 0
      ? []
      : [`for (let ${index} = 0; ${index} < ${value}.length; ${index} += 1) {`, ...itemChecks, "}"]),
  ];
}

function objectChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const { required = [], properties = {}, propertyNames, additionalProperties } = schema;
  return [
    ...requiredChecks(required, place, scope),
    ...(propertyNames === undefined ? [] : nameChecks(propertyNames, place, scope)),
    ...(additionalProperties === false ? surplusChecks(Object.keys(properties), place, scope) : []),
    ...(additionalProperties === undefined || additionalProperties === false
      ? []
      : valueChecks(additionalProperties, place, scope)),
    ...Object.entries(properties).flatMap(([name, property]) => propertyChecks(name, property, place, scope)),
  ];
}

/** Members that are not listed, where nothing else is taken. */
function surplusChecks(known: readonly string[], place: Place, scope: CodeScope): Statements {
  const key = scope.name("key");
  const error = fail(scope, place, "additionalProperties", `additionalProperty: ${key}`);
  const list = scope.list("allowed", known);
  return [
    `for (const ${key} of Object.keys(${place.value})) {`,
    ...when(`!${list}.includes(${key})`, [error]),
    "}",
  ];
}

/** Errors of a name stand at the object, and one more names it. */
function nameChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const [key, start] = [scope.name("key"), scope.name("start")];
  const checks = checksOf(schema, { ...place, value: key }, scope);
  const error = fail(scope, place, "propertyNames", `propertyName: ${key}`);
  return [
    `for (const ${key} of Object.keys(${place.value})) {`,
    `const ${start} = errors.length;`,
    ...checks,
    ...when(`errors.length > ${start}`, [error]),
    "}",
  ];
}

/** The values of a map, whatever their names. */
function valueChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const key = scope.name("key");
  const step = `"/" + ${key}.replaceAll("~", "~0").replaceAll("/", "~1")`;
  const checks = partChecks(
    schema,
    { value: `${place.value}[${key}]`, pointer: `${place.pointer} + ${step}` },
    scope,
  );
  if (checks.length === 0) return [];
  return [`for (const ${key} of Object.keys(${place.value})) {`, ...checks, "}"];
}

/** Three or more required names are a list to go through, where one is missing. */
function requiredChecks(names: readonly string[], place: Place, scope: CodeScope): Statements {
  const missing = (name: string) =>
    failIf(`!Object.hasOwn(${place.value}, ${name})`, scope, place, "required", `missingProperty: ${name}`);
  if (names.length < 3) return names.flatMap((name) => missing(JSON.stringify(name)));
  const loop = [`for (const name of ${scope.list("required", names)}) {`, ...missing("name"), "}"];
  return when(names.map((name) => `!${has(place, name)}`).join(" || "), loop);
}

function propertyChecks(name: string, schema: JsonSchema, object: Place, scope: CodeScope): Statements {
  const place = propertyPlace(object, name);
  const checks = partChecks(schema, place, scope);
  const [only, ...others] = checks;
  // What is right need not be there: only where a single check fails it is asked whether the object itself has the member.
  if (others.length === 0 && typeof only === "object" && only.otherwise.length === 0)
    return [{ ...only, test: `${only.test} && ${has(object, name)}` }];
  return when(has(object, name), checks);
}

/** The checks of a part of a value, which gets a name of its own where more than one of them reads it. */
function partChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const [only, ...others] = Object.keys(schema).filter((keyword) => keyword !== "default");
  if (others.length === 0 && (only === "type" || only === "$ref")) return checksOf(schema, place, scope);
  const value = scope.name("data");
  const checks = checksOf(schema, { ...place, value }, scope);
  return checks.length === 0 ? [] : [`const ${value} = ${place.value};`, ...checks];
}
