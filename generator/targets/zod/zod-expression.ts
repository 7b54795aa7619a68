import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import { taggedCases } from "../../print/json-schema/tagged-cases.ts";
import { jsonLiteral, member, objectLiteral, propertyName, stringLiteral } from "../../print/literals.ts";
import { bracketed, separated, type Printable } from "../../print/layout.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import type { ZodContext } from "./zod-context.ts";

/** A schema as a zod expression that takes the same values. */
export function zodExpression(schema: JsonSchema, context: ZodContext): Printable {
  if (schema.$ref !== undefined) return referenceExpression(schema, schema.$ref, context);
  if (schema.const !== undefined) return ["z.literal(", jsonLiteral(schema.const), ")"];
  if (schema.enum !== undefined)
    return [schema.type === "string" ? "z.enum(" : "z.literal(", jsonLiteral(schema.enum), ")"];
  switch (schema.type) {
    case "string":
      return ["z.string()", stringChecks(schema, context)];
    case "number":
      return ["z.number()", bounds(schema)];
    case "integer":
      // A number of JSON becomes the bigint that it is; bounds are compared as numbers, as other validators do.
      if (schema["x-format"] === "bigint")
        return [
          "z.preprocess((value) => (Number.isInteger(value) ? BigInt(Number(value)) : value), z.bigint()",
          bigintBounds(schema),
          ")",
        ];
      // Not z.int(), which refuses integers beyond 2^53.
      return ['z.number().refine(Number.isInteger, "not an integer")', bounds(schema)];
    case "boolean":
      return "z.boolean()";
    case "null":
      return "z.null()";
    case "array":
      return schema.prefixItems === undefined
        ? arrayExpression(schema, context)
        : ["z.tuple(", listed(schema.prefixItems, context), ")"];
    case "object":
      if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
        return mapExpression(schema, context);
      return isTagged(schema) ? taggedExpression(schema, context) : objectExpression(schema, context);
    default:
      return unionExpression(schema, context);
  }
}

function listed(schemas: readonly JsonSchema[], context: ZodContext): Printable {
  return bracketed(
    "[",
    "]",
    schemas.map((schema) => zodExpression(schema, context)),
  );
}

function unionExpression({ anyOf, oneOf }: JsonSchema, context: ZodContext): Printable {
  if (anyOf !== undefined) return ["z.union(", listed(anyOf, context), ")"];
  if (oneOf === undefined) return "z.json()";
  const options = listed(oneOf, context);
  // Before the union, which may give another value: a default, a bigint.
  return ["z.preprocess(", context.rule("fitsOneOf"), "(", options, "), z.union(", options, "))"];
}

function mapExpression(schema: JsonSchema, context: ZodContext): Printable {
  const { propertyNames, additionalProperties = {} } = schema;
  const values = zodExpression(additionalProperties === false ? {} : additionalProperties, context);
  if (propertyNames === undefined) return ["z.record(z.string(), ", values, ")"];
  // z.record asks for every name where the names are listed.
  return ["z.partialRecord(", zodExpression(propertyNames, context), ", ", values, ")"];
}

/** Whether a member discriminates the objects: each case gives it a constant. */
function isTagged({ oneOf = [] }: JsonSchema): boolean {
  return oneOf.some(({ properties, allOf }) => properties !== undefined && allOf !== undefined);
}

function taggedExpression(schema: JsonSchema, context: ZodContext): Printable {
  const { oneOf = [] } = schema;
  const cases = oneOf.map(({ allOf = [], ...own }) => {
    const tag = objectExpression(
      { type: "object", ...own, required: Object.keys(own.properties ?? {}) },
      context,
    );
    const objects = allOf.map((part) => zodExpression(part, context));
    // An intersection takes members that one of its sides takes; a closed object then refuses them.
    const closed = objects.map((object) => [".superRefine(", context.rule("fits"), "(", object, "))"]);
    return ["z.intersection(", separated(", ", [...objects, tag]), ")", closed];
  });
  const tagged = taggedCases(schema);
  if (tagged === undefined) return ["z.union(", bracketed("[", "]", cases), ")"];
  const byTag = tagged.cases.map(({ value }, at) => member(value, cases[at]));
  return [context.rule("byCase"), `(${stringLiteral(tagged.tag)}, `, objectLiteral(byTag), ")"];
}

/** The object itself, without what its properties must satisfy together. */
function objectExpression(schema: JsonSchema, context: ZodContext): Printable {
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {});
  const members = properties.map(([name, property]) =>
    refersLate(property, context)
      ? getter(name, property, required.has(name), context)
      : member(name, [zodExpression(property, context), required.has(name) ? "" : absence(property)]),
  );
  const create = schema.additionalProperties === false ? "z.strictObject(" : "z.looseObject(";
  const object = [create, objectLiteral(members, { broken: members.length > 1 }), ")"];
  const rules = ruleCalls(schema, context, zodExpression).map((rule) => [".superRefine(", rule, ")"]);
  // zod would read a property such as `constructor` from the prototype of a value that does not have it.
  const inherits = properties.some(([name]) => name in Object.prototype);
  return inherits
    ? ["z.preprocess(", context.rule("ownProperties"), ", ", object, rules, ")"]
    : [object, rules];
}

/** A schema of zod gives the default where nothing is. */
function absence(schema: JsonSchema): Printable {
  const { default: preset } = schema;
  if (preset === undefined) return ".optional()";
  // A value of JSON, which is read as one that was sent.
  return [".prefault(", jsonLiteral(preset), ")"];
}

function referenceExpression(schema: JsonSchema, ref: string, context: ZodContext): Printable {
  const name = context.nameOf(ref);
  const lazy = context.late.lazily.has(name) ? `z.lazy(() => ${name})` : name;
  const declared = context.isDeclared(name) ? lazy : `z.lazy((): z.ZodType => ${name})`;
  return [declared, schema.minLength === undefined ? "" : `.min(${schema.minLength})`];
}

function stringChecks(schema: JsonSchema, context: ZodContext): Printable[] {
  const { format, minLength, maxLength, pattern } = schema;
  const length = context.support("length");
  return [
    ...(format !== undefined && isStringFormat(format)
      ? [
          [
            ".refine(",
            context.support(formatFunctions[format]),
            `, ${stringLiteral(`not a valid ${format}`)})`,
          ],
        ]
      : []),
    ...(minLength === undefined || minLength < 2
      ? [minLength === 1 ? ".min(1)" : ""]
      : [[".refine((text) => ", length, `(text) >= ${minLength}, "shorter than ${minLength}")`]]),
    ...(maxLength === undefined
      ? []
      : [[".refine((text) => ", length, `(text) <= ${maxLength}, "longer than ${maxLength}")`]]),
    ...(pattern === undefined ? [] : [`.regex(${String(new RegExp(pattern, "u"))})`]),
  ];
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  return [
    minimum === undefined ? "" : `.min(${minimum})`,
    maximum === undefined ? "" : `.max(${maximum})`,
    exclusiveMinimum === undefined ? "" : `.gt(${exclusiveMinimum})`,
    exclusiveMaximum === undefined ? "" : `.lt(${exclusiveMaximum})`,
  ].join("");
}

/** The bounds of a bigint, compared as numbers. */
function bigintBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Printable {
  return [
    bigintBound(minimum, ">="),
    bigintBound(maximum, "<="),
    bigintBound(exclusiveMinimum, ">"),
    bigintBound(exclusiveMaximum, "<"),
  ];
}

function bigintBound(limit: number | undefined, comparison: string): Printable {
  if (limit === undefined) return "";
  return `.refine((value) => Number(value) ${comparison} ${limit}, "not ${comparison} ${limit}")`;
}

function arrayExpression(schema: JsonSchema, context: ZodContext): Printable {
  const { items, minItems, maxItems, uniqueItems } = schema;
  return [
    "z.array(",
    zodExpression(items === false ? {} : (items ?? {}), context),
    ")",
    minItems === undefined ? "" : `.min(${minItems})`,
    maxItems === undefined ? "" : `.max(${maxItems})`,
    uniqueItems === true ? [".refine(", context.rule("allDiffer"), ', "has equal items")'] : "",
  ];
}

/** A property that is read when it is first used, with a type that TypeScript need not infer. */
function getter(name: string, schema: JsonSchema, isRequired: boolean, context: ZodContext): Printable {
  const late = { ...context.late, lazily: new Set<string>() };
  const always: ZodContext = { ...context, late, isDeclared: () => true };
  const type = typeOf(schema, context);
  const absent = schema.default === undefined ? "z.ZodOptional<" : "z.ZodPrefault<";
  return [
    `get ${propertyName(name)}(): `,
    isRequired ? type : [absent, type, ">"],
    " { return ",
    zodExpression(schema, always),
    isRequired ? "" : absence(schema),
    "; }",
  ];
}

/** The type of an expression, or one that holds it. */
function typeOf(schema: JsonSchema, context: ZodContext): Printable {
  const { $ref, anyOf, items, prefixItems, type, additionalProperties, propertyNames } = schema;
  if ($ref !== undefined) return `typeof ${context.nameOf($ref)}`;
  if (anyOf !== undefined) return ["z.ZodUnion<readonly ", typesOf(anyOf, context), ">"];
  if (prefixItems !== undefined) return ["z.ZodTuple<", typesOf(prefixItems, context), ", null>"];
  if (items !== undefined && items !== false) return ["z.ZodArray<", typeOf(items, context), ">"];
  const isScalar = schema.enum === undefined && schema.const === undefined && schema["x-format"] !== "bigint";
  const scalar = isScalar && type !== undefined ? scalarTypes[type] : undefined;
  if (scalar !== undefined) return scalar;
  const isMap = additionalProperties !== undefined && additionalProperties !== false;
  if (isMap && propertyNames === undefined)
    return ["z.ZodRecord<z.ZodString, ", typeOf(additionalProperties, context), ">"];
  return "z.ZodType";
}

const scalarTypes: Readonly<Partial<Record<NonNullable<JsonSchema["type"]>, string>>> = {
  string: "z.ZodString",
  number: "z.ZodNumber",
  integer: "z.ZodNumber",
  boolean: "z.ZodBoolean",
  null: "z.ZodNull",
};

function typesOf(schemas: readonly JsonSchema[], context: ZodContext): Printable {
  return [
    "[",
    separated(
      ", ",
      schemas.map((schema) => typeOf(schema, context)),
    ),
    "]",
  ];
}

/** Whether a schema names a constant that is read by getters; objects inside it have getters of their own. */
function refersLate(schema: JsonSchema, context: ZodContext): boolean {
  if (schema.$ref !== undefined) {
    const name = context.nameOf(schema.$ref);
    return context.late.byGetters.has(name) || !context.isDeclared(name);
  }
  const { anyOf = [], oneOf = [], allOf = [], prefixItems = [], items, additionalProperties } = schema;
  const others = [items, additionalProperties].filter((inner) => inner !== undefined && inner !== false);
  return [...anyOf, ...oneOf, ...allOf, ...prefixItems, ...others].some((inner) =>
    refersLate(inner, context),
  );
}

/** Prints a schema inside. */
type Print = (schema: JsonSchema, context: ZodContext) => Printable;

/** The rules over several properties of an object, as calls of the functions of ./rule-functions.ts. */
function ruleCalls(schema: JsonSchema, context: ZodContext, print: Print): readonly Printable[] {
  const { allOf, anyOf, oneOf, if: condition, then: consequence } = schema;
  return [
    ...(anyOf === undefined ? [] : [groupCall("atLeastOneOf", "fitsAnyOf", anyOf, context, print)]),
    ...(oneOf === undefined ? [] : [groupCall("exactlyOneOf", "fitsExactlyOne", oneOf, context, print)]),
    ...(condition === undefined || consequence === undefined
      ? []
      : [conditionCall(condition, consequence, context)]),
    ...(allOf ?? []).flatMap((part) => ruleCalls(part, context, print)),
  ];
}

/** A rule over the names of members where the options ask for nothing else, or over whole options. */
function groupCall(
  ofNames: string,
  ofOptions: string,
  options: readonly JsonSchema[],
  context: ZodContext,
  print: Print,
): Printable {
  const isGroup = options.every((option) => Object.keys(option).join() === "required");
  if (isGroup) return call(ofNames, options.flatMap(namesRequired).map(jsonLiteral), context);
  const objects = options.map((option) => print({ ...option, type: "object" }, context));
  return call(ofOptions, objects, context);
}

function conditionCall(condition: JsonSchema, consequence: JsonSchema, context: ZodContext): Printable {
  const [[sibling, { enum: values = [] }] = ["", {}]] = Object.entries(condition.properties ?? {});
  const nonEmpty = Object.keys(consequence.properties ?? {});
  return call(
    "requiredWhen",
    [
      jsonLiteral(sibling),
      jsonLiteral(values),
      jsonLiteral(namesRequired(consequence)),
      ...(nonEmpty.length === 0 ? [] : [jsonLiteral(nonEmpty)]),
    ],
    context,
  );
}

function namesRequired(schema: JsonSchema): readonly string[] {
  return schema.required ?? [];
}

function call(rule: string, parameters: readonly Printable[], context: ZodContext): Printable {
  return [context.rule(rule), "(", separated(", ", parameters), ")"];
}
