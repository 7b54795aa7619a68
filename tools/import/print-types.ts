import { pascalCase } from "../../generator/model/names.ts";
import { formatPatterns } from "../../generator/print/string-formats.ts";
import type { Owner } from "./findings.ts";
import { isObject, type Json } from "./json.ts";
import { bare, type Field, type Remarks, type Shape } from "./shape.ts";
import type { Site } from "./sources.ts";
import type { TypeTable } from "./type-table.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

/** A mapping of the spec, ready to be written as YAML; keys in the order in which they are set. */
export type Written = Record<string, unknown>;

/** Where parts that need a name of their own get one. */
export interface Printing {
  readonly types: TypeTable;
  readonly owner: Owner;
  readonly site: Site;
}

/** A named type as the spec has it. */
export function typeDefinition(shape: Shape, name: string, printing: Printing): Written {
  return { ...remarksKeys(shape, "example"), ...definition(mayBeEmpty(shape), name, printing) };
}

/** The keys of a field, beside its name. */
export function fieldDefinition(
  { name, optional, requiredWhen, shape }: Field,
  parent: string,
  printing: Printing,
): Written {
  const path = `${parent}${pascalCase(name)}`;
  const isOptional = optional && requiredWhen === undefined;
  const { default: preset, example, doc, deprecated, extensions } = shape;
  return omitUndefined({
    name,
    ...typeKeys(bare(isOptional ? shape : mayBeEmpty(shape)), path, printing),
    ...omitUndefined({ optional: isOptional ? true : undefined }),
    requiredWhen,
    ...(preset === undefined
      ? {}
      : isOptional && isPlain(preset)
        ? { default: preset }
        : { "x-default": preset }),
    doc,
    deprecated,
    example,
    ...extensions,
  });
}

/** The types of texts that have the empty one. */
const emptyTypes: ReadonlySet<string> = new Set([
  "string",
  ...Object.entries(formatPatterns).flatMap(([format, pattern]) =>
    new RegExp(pattern, "u").test("") ? format : [],
  ),
]);

/** A required text may be empty, as in JSON Schema: the spec language needs that in writing (D-14). */
function mayBeEmpty(shape: Shape): Shape {
  if (shape.kind !== "scalar" || !emptyTypes.has(shape.type)) return shape;
  const { constraints } = shape;
  const isSaid = constraints.minLength !== undefined || constraints.const !== undefined;
  return isSaid ? shape : { ...shape, constraints: { minLength: 0, ...constraints } };
}

/** A result or a payload: the name of a type, or its keys written in place. */
export function placedDefinition(shape: Shape, name: string, printing: Printing): string | Written {
  const kind = bare(shape);
  if (kind.kind === "object" && kind.includes.length === 0) return definition(kind, name, printing);
  return expression(kind, name, printing);
}

function remarksKeys(
  { doc, deprecated, default: preset, example, extensions }: Remarks,
  exampleKey: string,
): Written {
  return omitUndefined({
    doc,
    deprecated,
    "x-default": preset,
    ...extensions,
    ...omitUndefined({ [exampleKey]: example }),
  });
}

function definition(shape: Shape, name: string, printing: Printing): Written {
  switch (shape.kind) {
    case "object":
      return omitUndefined({
        includes: shape.includes.length === 0 ? undefined : shape.includes,
        fields: shape.fields.map((field) => fieldDefinition(field, name, printing)),
        closed: shape.closed ? true : undefined,
        atLeastOneOf: shape.atLeastOneOf.length === 0 ? undefined : shape.atLeastOneOf,
        exactlyOneOf: shape.exactlyOneOf.length === 0 ? undefined : shape.exactlyOneOf,
      });
    case "enum":
      return { enum: shape.values.map((value) => ({ value })) };
    default:
      return typeKeys(shape, name, printing);
  }
}

/** `type` and the constraints beside it. */
function typeKeys(shape: Shape, name: string, printing: Printing): Written {
  switch (shape.kind) {
    case "scalar":
      return { type: shape.type, ...shape.constraints };
    case "ref":
      return { type: use(shape.type, printing) };
    case "nullable": {
      const { shape: inner } = shape;
      if (inner.kind === "union" && inner.alternatives.every((each) => each.kind !== "nullable")) {
        const { type, ...keys } = typeKeys(inner, name, printing);
        return { type: `${String(type)}|null`, ...keys };
      }
      return { type: `${expression(inner, `${name}Value`, printing)}|null` };
    }
    case "union": {
      const names = shape.alternatives.map((each, index) =>
        expression(each, `${name}Option${index + 1}`, printing),
      );
      return omitUndefined({ type: names.join("|"), exactlyOne: shape.exactlyOne ? true : undefined });
    }
    case "array":
      return arrayKeys(shape, name, printing);
    case "tuple": {
      const names = shape.items.map((each, index) => expression(each, `${name}Item${index + 1}`, printing));
      return { type: `tuple of [${names.join(", ")}]` };
    }
    case "map": {
      const values = expression(shape.values, `${name}Value`, printing);
      return omitUndefined({
        type: `map of ${values}`,
        keys: shape.keys && expression(shape.keys, `${name}Key`, printing),
      });
    }
    case "object":
      if (isInPlace(shape)) return { type: "object", ...definition(bare(shape), name, printing) };
      return { type: expression(shape, name, printing) };
    case "enum":
      return { type: expression(shape, name, printing) };
  }
}

function arrayKeys(shape: Extract<Shape, { kind: "array" }>, name: string, printing: Printing): Written {
  const { items, constraints } = shape;
  if (items.kind === "object" && isInPlace(items) && !needsName(items)) {
    return { type: "array of object", ...definition(bare(items), `${name}Item`, printing), ...constraints };
  }
  return { type: `array of ${expression(items, `${name}Item`, printing)}`, ...constraints };
}

/** Fields written where they are used. */
function isInPlace(shape: Shape): boolean {
  return shape.kind === "object" && !shape.closed && shape.includes.length === 0 && shape.fields.length > 0;
}

/** One word for a type: its own where it has one, else that of a new type. */
function expression(shape: Shape, name: string, printing: Printing): string {
  if (shape.kind === "ref") return use(shape.type, printing);
  if (shape.kind === "scalar" && Object.keys(shape.constraints).length === 0 && !needsName(shape))
    return shape.type;
  const entry = printing.types.hoist(name, printing.site, shape);
  return use(entry.name, printing);
}

/** Whether a part needs a name of its own, to keep its documentation. */
function needsName({ doc, extensions }: Remarks): boolean {
  return (
    doc !== undefined || Object.keys(extensions ?? {}).some((key) => key !== "x-title" && key !== "x-comment")
  );
}

function use(type: string, { owner }: Printing): string {
  owner.uses.add(type);
  return type;
}

function isPlain(value: Json): boolean {
  return !isObject(value) && !Array.isArray(value);
}
