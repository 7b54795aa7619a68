import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type {
  EnumShape,
  EventMembersModel,
  FieldModel,
  NumberShape,
  ObjectTypeShape,
  Shape,
  StringShape,
  TaggedShape,
} from "../../model/service-model.ts";
import type { JsonSchema } from "./keywords.ts";
import { oncePerText } from "../../language/source/once-per.ts";
import { formatPatterns, moneyMagnitudeMax } from "../string-formats.ts";

/** Inputs of printing a shape, beside the shape. */
export interface ShapeContext {
  readonly direction: "request" | "response";
  /** Whether a format is its regular expression and an annotation, for readers that do not know our formats. */
  readonly formatPatterns: boolean;
  /** Whether generators of typed clients read it: see `JsonSchemaStyle`. */
  readonly typed: boolean;
  /** The `$ref` of a named type. */
  refTo(type: string): string;
  /** A shape with references followed to their end. */
  resolve(shape: Shape): Shape;
  /** The annotations of a field; an empty schema where no documentation is wanted. */
  annotate(field: FieldModel): JsonSchema;
}

/** A shape as a schema. Pure. */
export function shapeSchema(shape: Shape, context: ShapeContext): JsonSchema {
  switch (shape.kind) {
    case "string":
      return stringSchema(shape, context);
    case "number":
    case "integer":
    case "bigint":
      return defined({
        type: shape.kind === "bigint" ? "integer" : shape.kind,
        format: context.typed ? numberFormat(shape) : undefined,
        // How programs read it, which is not for a validator.
        "x-format": shape.kind === "bigint" ? "bigint" : undefined,
        const: shape.const,
        minimum: shape.minimum,
        maximum: shape.maximum,
        exclusiveMinimum: shape.above,
        exclusiveMaximum: shape.below,
      });
    case "money":
      return defined({
        type: "number",
        format: context.typed ? numberFormat(shape) : undefined,
        const: shape.const,
        minimum: shape.minimum ?? -moneyMagnitudeMax,
        maximum: shape.maximum ?? moneyMagnitudeMax,
      });
    case "boolean":
      return defined({ type: "boolean", const: shape.const });
    case "enum":
      return enumSchema(shape, context);
    case "array":
      return defined({
        type: "array",
        items: shapeSchema(shape.items, context),
        minItems: shape.itemsMin,
        maxItems: shape.itemsMax,
        uniqueItems: shape.unique ? true : undefined,
      });
    case "ref":
      return { $ref: context.refTo(shape.type) };
    case "object":
      return objectSchema(shape, context);
    default:
      return standardSchema(shape, context);
  }
}

type StandardShape = Exclude<
  Shape,
  {
    kind:
      | "string"
      | "number"
      | "integer"
      | "bigint"
      | "money"
      | "boolean"
      | "enum"
      | "array"
      | "ref"
      | "object";
  }
>;

/** The shapes that interfaces of JSON-RPC 2.0 alone have. */
function standardSchema(shape: StandardShape, context: ShapeContext): JsonSchema {
  switch (shape.kind) {
    case "null":
      return { type: "null" };
    case "json":
      return {};
    case "nullable":
      return { anyOf: [shapeSchema(shape.shape, context), { type: "null" }] };
    case "map":
      return defined({
        type: "object",
        propertyNames: shape.keys && shapeSchema(shape.keys, context),
        additionalProperties: shapeSchema(shape.values, context),
      });
    case "tuple":
      return {
        type: "array",
        minItems: shape.items.length,
        prefixItems: shape.items.map((item) => shapeSchema(item, context)),
        items: false,
      };
    case "union":
      return {
        [shape.exactlyOne && !takesMore(context) ? "oneOf" : "anyOf"]: shape.alternatives.map((each) =>
          shapeSchema(each, context),
        ),
      };
    case "tagged":
      return taggedSchema(shape, context);
  }
}

/**
 * Each case with its tag as a constant: no value fits two of them. Where each case declares its tag itself, generators of
 * typed clients are told by OpenAPI's own word.
 */
function taggedSchema(shape: TaggedShape, context: ShapeContext): JsonSchema {
  const { discriminator, cases } = shape;
  if (context.typed && declareTags(shape, context)) {
    const references = cases.map(({ tag, shape: { type } }) => [tag, context.refTo(type)] as const);
    return {
      oneOf: references.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: discriminator, mapping: Object.fromEntries(references) },
    };
  }
  return {
    type: "object",
    required: [discriminator],
    oneOf: cases.map(({ tag, shape }) => ({
      properties: { [discriminator]: { const: tag } },
      allOf: [{ $ref: context.refTo(shape.type) }],
    })),
  };
}

/** Whether the type of each case requires the discriminator, with the tag of this case as its only value. */
function declareTags({ discriminator, cases }: TaggedShape, { resolve }: ShapeContext): boolean {
  return cases.every(({ tag, shape }) => {
    const object = resolve(shape);
    if (object.kind !== "object") return false;
    const field = object.fields.find(({ name }) => name === discriminator);
    if (field?.presence.kind !== "required") return false;
    const value = resolve(field.shape);
    return value.kind === "string" && value.const === tag;
  });
}

/**
 * The width that typed clients give a number. Without one, some take 32 bits. A double keeps all 15 digits of an amount.
 */
function numberFormat({ kind, minimum, maximum }: NumberShape): string {
  if (kind === "number" || kind === "money") return "double";
  const isShort = minimum !== undefined && maximum !== undefined && Math.max(-minimum - 1, maximum) < 2 ** 31;
  return isShort ? "int32" : "int64";
}

/** Whether objects may have members beyond those that are listed, also closed ones: a newer service sends more. */
function takesMore({ typed, direction }: ShapeContext): boolean {
  return typed && direction === "response";
}

/** What the service sends of an open enum may be another value, of the same type. */
function enumSchema(shape: EnumShape, { direction }: ShapeContext): JsonSchema {
  const values = shape.values.map(({ value }) => value);
  const types = new Set(values.map((value) => typeof value));
  const [only] = types;
  const type = types.size > 1 ? {} : { type: only === "number" ? ("integer" as const) : ("string" as const) };
  if (shape.open === true && direction === "response") return { ...type, "x-extensible-enum": values };
  return { ...type, enum: values };
}

/**
 * An object as a schema: properties in document order; `required-when` as if/then, one for each condition; groups
 * as anyOf or oneOf of `required`. Properties it does not name are allowed (D-13).
 */
export function objectSchema(shape: ObjectTypeShape, context: ShapeContext): JsonSchema {
  return {
    ...fieldsSchema(shape.fields, context),
    ...omitUndefined({
      additionalProperties: shape.closed === true && !takesMore(context) ? (false as const) : undefined,
    }),
    ...rules([...conditionSchemas(shape.fields, context), ...groupSchemas(shape)], context),
  };
}

/** The type, properties and required names of some fields. */
export function fieldsSchema(fields: readonly FieldModel[], context: ShapeContext): JsonSchema {
  const entries: (readonly [string, JsonSchema])[] = [];
  const required: string[] = [];
  for (const field of fields) {
    for (const name of wireNames(field, context)) {
      entries.push([name, fieldSchema(field, name, context)]);
      if (field.presence.kind === "required") required.push(name);
    }
  }
  return defined({
    type: "object",
    properties: Object.fromEntries(entries),
    required: required.length === 0 ? undefined : required,
  });
}

/** One if/then for each condition under which fields are required, in the order of its first field. */
export function conditionSchemas(
  fields: readonly FieldModel[],
  context: ShapeContext,
): readonly JsonSchema[] {
  const conditions = new Map<string, { when: JsonSchema; fields: FieldModel[] }>();
  for (const field of fields) {
    if (field.presence.kind !== "required-when") continue;
    const { field: sibling, values } = field.presence;
    const when: JsonSchema = { properties: { [sibling]: { enum: values } }, required: [sibling] };
    const key = JSON.stringify(when);
    const condition = conditions.get(key);
    if (condition === undefined) conditions.set(key, { when, fields: [field] });
    else condition.fields.push(field);
  }
  return [...conditions.values()].map((condition) =>
    implication(condition.when, requiredSchema(condition.fields, context)),
  );
}

/** A member that is there under a condition is there exactly where the payload meets it. */
export function memberConditions({ when = {}, repeats }: EventMembersModel): readonly JsonSchema[] {
  return Object.entries(when).flatMap(([name, { field, values }]) => {
    const repeated = repeats[name];
    const meets = (...fields: readonly string[]): JsonSchema => ({
      properties: {
        payload: { type: "object", required: fields, properties: { [field]: { enum: values } } },
      },
      required: ["payload"],
    });
    const present = { required: [name] };
    return [
      implication(meets(field, ...(repeated === undefined || repeated === field ? [] : [repeated])), present),
      implication(present, meets(field)),
    ];
  });
}

/** The presence rules of an object's groups. */
export function groupSchemas(
  shape: Pick<ObjectTypeShape, "atLeastOneOf" | "atLeastOnePath" | "exactlyOneOf" | "exactlyOnePath">,
): readonly JsonSchema[] {
  return [
    ...shape.atLeastOneOf.map((group) => ({ anyOf: group.map(requiring) })),
    ...(shape.atLeastOnePath ?? []).map((group) => ({ anyOf: group.map(leading) })),
    ...shape.exactlyOneOf.map((group) => ({ oneOf: group.map(requiring) })),
    ...(shape.exactlyOnePath ?? []).map((group) => ({ oneOf: group.map(leading) })),
  ];
}

/** A schema by which a value that fits the first must fit the second. */
export function implication(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; no schema is ever awaited
  return { if: condition, then: consequence };
}

/**
 * Rules over the members of an object. Generators of typed clients read a type into each `allOf`, `anyOf` and
 * `oneOf`, and nothing into `not`. For them, two `not` stand around the rules.
 */
export function rules(schemas: readonly JsonSchema[], { typed }: ShapeContext): JsonSchema {
  return typed && schemas.length > 0 ? { not: { not: together(schemas) } } : together(schemas);
}

/** Several schemas as one: nothing, the schema itself, or an allOf. */
function together(schemas: readonly JsonSchema[]): JsonSchema {
  const [first, second] = schemas;
  if (first === undefined) return {};
  return second === undefined ? first : { allOf: schemas };
}

/** Where the path leads to a value. */
function leading([name = "", ...rest]: readonly string[]): JsonSchema {
  const within: JsonSchema = rest.length === 0 ? {} : { type: "object", ...leading(rest) };
  return { required: [name], properties: { [name]: within } };
}

function requiring(name: string): JsonSchema {
  return { required: [name] };
}

/** Some generators of typed clients write a pattern between quotes as it is: there a quote is an escape. */
function stringSchema(shape: StringShape, context: ShapeContext): JsonSchema {
  const formatPattern =
    shape.format === undefined || !context.formatPatterns ? undefined : formatPatterns[shape.format];
  const pattern = context.typed ? shape.pattern?.replaceAll('"', String.raw`\u0022`) : shape.pattern;
  const ownAndFormat =
    shape.pattern === undefined || formatPattern === undefined
      ? undefined
      : context.typed
        ? rules([{ pattern: formatPattern }], context)
        : { allOf: [{ pattern: formatPattern }] };
  return {
    ...defined({
      type: "string",
      [context.formatPatterns ? "x-format" : "format"]: shape.format,
      const: shape.const,
      minLength: shape.lengthMin === 0 ? undefined : shape.lengthMin,
      maxLength: shape.lengthMax,
      pattern: pattern ?? formatPattern,
    }),
    ...ownAndFormat,
  };
}

/** The canonical name and, in what the service sends, the second spelling of the same value (D-12). */
function wireNames(field: FieldModel, context: ShapeContext): readonly string[] {
  const { name, alsoSentAs } = field;
  const isOnce = context.typed || context.direction === "request" || alsoSentAs === undefined;
  return isOnce ? [name] : [name, alsoSentAs];
}

function fieldSchema(field: FieldModel, name: string, context: ShapeContext): JsonSchema {
  const schema = shapeSchema(field.shape, context);
  const nonEmpty = field.presence.kind === "required" && mayNotBeEmpty(field.shape, context);
  const { deprecated, ...annotations } = context.annotate(field);
  const isSecondSpelling = name !== field.name && Object.keys(annotations).length > 0;
  return {
    ...annotations,
    ...omitUndefined({ deprecated: deprecated === true || isSecondSpelling ? (true as const) : undefined }),
    ...schema,
    ...omitUndefined({ minLength: nonEmpty ? 1 : undefined, default: field.default }),
  };
}

/**
 * A required string is never empty in a request (D-14), unless the spec sets its own least length. If its value or
 * format cannot be empty, nothing is printed.
 */
function mayNotBeEmpty(shape: Shape, context: ShapeContext): boolean {
  if (context.direction !== "request") return false;
  const string = context.resolve(shape);
  if (string.kind !== "string" || string.lengthMin !== undefined || string.const !== undefined) return false;
  return string.format === undefined || takesNothing(formatPatterns[string.format]);
}

const takesNothing = oncePerText((pattern) => new RegExp(pattern, "u").test(""));

function requiredSchema(fields: readonly FieldModel[], context: ShapeContext): JsonSchema {
  const nonEmpty = fields
    .filter((field) => mayNotBeEmpty(field.shape, context))
    .map((field) => [field.name, { minLength: 1 }] as const);
  return omitUndefined({
    properties: nonEmpty.length === 0 ? undefined : Object.fromEntries(nonEmpty),
    required: fields.flatMap((field) => wireNames(field, context)),
  });
}

/** The same object without its undefined members. */
function defined(schema: { [Keyword in keyof JsonSchema]?: JsonSchema[Keyword] | undefined }): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
