import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import { taggedCases, type TaggedCases } from "../../print/json-schema/tagged-cases.ts";
import {
  createCodeScope,
  itemPlace,
  propertyPlace,
  type CodeScope,
  type Place,
  nameIn,
} from "./code-scope.ts";
import {
  conditionOf,
  enumChecks,
  numberChecks,
  stringChecks,
  printStatements,
  when,
  type Statements,
  fail,
  failIf,
  memberTest,
  typeTest,
  wrongTypeTest,
  type JsonType,
} from "./scalar-checks.ts";
import type { SupportName } from "../support/support-source.ts";

/** The function that checks a value against a schema. */
export interface PrintedChecks {
  /** Constants, and last `function check<name>(data, path, errors)`. */
  readonly code: string;
  /** The functions of `support.js` that the code calls. */
  readonly support: readonly SupportName[];
  /** The types whose functions the code calls. */
  readonly calls: readonly string[];
}

/**
 * JavaScript that reports every error of a value with the keyword, place and parameters that Ajv gives it under
 * `allErrors`. Two errors of Ajv are left out, because no reader needs them: `if`, which only says that another error
 * stands beside it, and which items are equal. A reference is a call of the type's function. Throws for a keyword that
 * schemas of specs do not have.
 */
export function printChecks(name: string, schema: JsonSchema): PrintedChecks {
  const scope = createCodeScope(name);
  const body = checksOf(schema, { value: "data", pointer: "path" }, scope);
  const lists = scope.listDeclarations().map((declaration) => `${declaration}\n`);
  const code = `${lists.join("")}function check${name}(data, path, errors) {\n${printStatements(body)}\n}`;
  return { code, support: scope.supportCalled(), calls: scope.typesCalled() };
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
    return when(typeTest(group, place.value, scope), checks, group === type ? typeError : []);
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
    : [...when(wrongTypeTest(type, place.value, scope), typeError), ...groups];
}

/** Keywords that are checked, and three that say nothing of whether a value fits. */
const known: ReadonlySet<string> = new Set(
  (
    "$ref default x-format x-extensible-enum type const enum allOf anyOf oneOf if then minimum maximum exclusiveMinimum exclusiveMaximum minLength " +
    "maxLength pattern format minItems maxItems uniqueItems prefixItems items required properties propertyNames " +
    "additionalProperties"
  ).split(" "),
);

function refuseUnknownKeywords(schema: JsonSchema): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (unknown.length > 0) throw new Error(`no check is printed for ${unknown.join(", ")}`);
}

function anyValueChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const { $ref, const: constant, enum: values, anyOf, oneOf, allOf = [] } = schema;
  const { if: condition, then: consequence } = schema;
  return [
    ...($ref === undefined
      ? []
      : [`${scope.check(nameIn($ref))}(${place.value}, ${place.pointer}, errors);`]),
    ...(constant === undefined
      ? []
      : failIf(`${place.value} !== ${JSON.stringify(constant)}`, scope, place, "const", {
          allowedValue: constant,
        })),
    ...(anyOf === undefined ? [] : anyOfChecks(anyOf, place, scope)),
    ...(oneOf === undefined ? [] : casesOrOneOf(schema, oneOf, place, scope)),
    ...allOf.flatMap((each) => checksOf(each, place, scope)),
    ...(condition === undefined || consequence === undefined
      ? []
      : when(conditionOf(condition, place, scope), checksOf(consequence, place, scope))),
    ...(values === undefined ? [] : enumChecks(values, place, scope)),
  ];
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
  const isMissing = [
    typeTest("object", place.value, scope),
    ...names.map((name) => `!${memberTest(place, name)}`),
  ];
  return when(isMissing.join(" && "), [
    ...names.map((missingProperty) => fail(scope, place, "required", { missingProperty })),
    fail(scope, place, "anyOf", {}),
  ]);
}

function casesOrOneOf(
  schema: JsonSchema,
  oneOf: readonly JsonSchema[],
  place: Place,
  scope: CodeScope,
): Statements {
  const tagged = taggedCases(schema);
  return tagged === undefined ? oneOfChecks(oneOf, place, scope) : caseChecks(tagged, place, scope);
}

/** The case that the discriminator names is the one whose errors are reported; an unknown tag is told the known ones. */
function caseChecks({ tag, cases }: TaggedCases, place: Place, scope: CodeScope): Statements {
  const at = propertyPlace(place, tag);
  const allowedValues = cases.map((each) => each.value);
  const unknown: Statements = [fail(scope, at, "enum", { allowedValues })];
  const chosen = cases.reduceRight<Statements>(
    (otherwise, { value, schema }) => [
      { test: `${at.value} === ${JSON.stringify(value)}`, body: checksOf(schema, place, scope), otherwise },
    ],
    unknown,
  );
  const isThere = [typeTest("object", place.value, scope), memberTest(place, tag)].join(" && ");
  return [{ test: isThere, body: chosen, otherwise: [] }];
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

/** Three or more required names are a list, which is gone through where one of them is missing. */
function requiredChecks(names: readonly string[], place: Place, scope: CodeScope): Statements {
  const { value, pointer } = place;
  if (names.length < 3)
    return names.flatMap((name) =>
      failIf(`!${memberTest(place, name)}`, scope, place, "required", { missingProperty: name }),
    );
  const list = scope.list("required", names);
  const report = `${scope.call("failMissing", "errors", pointer, value, list)};`;
  return when(names.map((name) => `!${memberTest(place, name)}`).join(" || "), [report]);
}

function propertyChecks(name: string, schema: JsonSchema, object: Place, scope: CodeScope): Statements {
  const place = propertyPlace(object, name);
  const checks = partChecks(schema, place, scope);
  const [only, ...others] = checks;
  // A right member need not be present: only if a single check fails it is asked whether the object itself has the
  // member.
  if (others.length === 0 && typeof only === "object" && only.otherwise.length === 0)
    return [{ ...only, test: `${only.test} && ${memberTest(object, name)}` }];
  return when(memberTest(object, name), checks);
}

/** The checks of a part of a value, which gets a name of its own where more than one of them reads it. */
function partChecks(schema: JsonSchema, place: Place, scope: CodeScope): Statements {
  const [only, ...others] = Object.keys(schema).filter((keyword) => keyword !== "default");
  if (others.length === 0 && (only === "type" || only === "$ref")) return checksOf(schema, place, scope);
  const value = scope.name("data");
  const checks = checksOf(schema, { ...place, value }, scope);
  return checks.length === 0 ? [] : [`const ${value} = ${place.value};`, ...checks];
}
