import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Reporter } from "../diagnostics/index.ts";
import { writtenAt, type Entry, type Node } from "../syntax/index.ts";
import {
  scalarTypes,
  type ConstraintSpec,
  type EnumSpec,
  type FieldGroupSpec,
  type FieldSpec,
  type Name,
  type ObjectSpec,
  type RefSpec,
  type ScalarType,
  type ShapeSpec,
  type TypeSpec,
  type UnknownSpec,
} from "../spec.ts";
import {
  childOf,
  documentedOf,
  entriesOf,
  entryOf,
  isTrueAt,
  itemsOf,
  mapsOf,
  nameAt,
  nameOfKey,
  namesOf,
  numberAt,
  optional,
  spanWithin,
  textAt,
  textOf,
} from "./access.ts";
import { mayHave } from "../structure/index.ts";
import { parseExpression, type TypeExpression } from "./type-expression.ts";

const constraintKeys: ReadonlySet<string> = new Set([
  "const",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "above",
  "below",
  "minItems",
  "maxItems",
  "uniqueItems",
  "open",
]);

const scalars: ReadonlyMap<string, ScalarType> = new Map(scalarTypes.map((name) => [name, name]));

export function readType(name: Name, node: Node, reporter: Reporter): TypeSpec {
  return {
    ...documentedOf(node, name.span),
    name,
    shape: readDefinition(name, node, reporter),
    ...optional("renamedFrom", nameAt(node, "renamedFrom")),
    ...optional("example", childOf(node, "example")),
    ...omitUndefined({ keep: isTrueAt(node, "keep") ? (true as const) : undefined }),
  };
}

function readDefinition(name: Name, node: Node, reporter: Reporter): ShapeSpec {
  if (node.kind !== "map") return { kind: "unknown" };
  const oneOf = entryOf(node, "oneOf");
  if (oneOf !== undefined) return readTagged(oneOf, node);
  const kinds = ["fields", "enum", "type"].filter((key) => entryOf(node, key) !== undefined);
  const type = textOf(childOf(node, "type"))?.value ?? "";
  const isOfObjects = kinds.join() === "fields,type" && type !== "object" && /\bobject\b/.test(type);
  if (kinds.length !== 1 && !isOfObjects) {
    if (kinds.length > 0 || !mayHave(node, ["fields", "enum", "type"])) {
      reporter.report("definition-kind", name.span, { name: name.value, found: kinds });
    }
    return { kind: "unknown" };
  }
  if (kinds[0] === "enum") return readEnum(node);
  return kinds.includes("type") ? readShape(node, reporter) : readObject(node, reporter);
}

/** Objects that a member distinguishes. */
function readTagged({ keySpan, value }: Entry, node: Node): ShapeSpec {
  const discriminator = nameAt(value, "discriminator");
  if (discriminator === undefined) return { kind: "unknown" };
  const cases = entriesOf(childOf(value, "cases")).flatMap((entry) => {
    const type = textOf(entry.value);
    if (type === undefined) return [];
    const shape: RefSpec = { kind: "ref", span: type.span, constraints: [], type };
    return { tag: nameOfKey(entry), shape };
  });
  return { kind: "tagged", span: keySpan, constraints: constraintsOf(node), discriminator, cases };
}

function readEnum(node: Node): EnumSpec {
  const values = mapsOf(childOf(node, "enum")).flatMap((item) => {
    const integer = numberAt(item, "value");
    const value =
      integer === undefined ? nameAt(item, "value") : { ...integer, value: String(integer.value) };
    if (value === undefined) return [];
    return {
      ...documentedOf(item, value.span),
      value,
      ...optional("integer", integer?.value),
      ...optional("renamedFrom", nameAt(item, "renamedFrom")),
    };
  });
  return { kind: "enum", span: node.span, constraints: constraintsOf(node), values };
}

/** An object: `fields` and its groups. */
export function readObject(node: Node, reporter: Reporter): ObjectSpec {
  const includes = childOf(node, "includes");
  return omitUndefined({
    kind: "object",
    span: node.span,
    constraints: constraintsOf(node),
    fields: mapsOf(childOf(node, "fields")).flatMap((item) => readField(item, reporter) ?? []),
    atLeastOneOf: groupsOf(childOf(node, "atLeastOneOf")),
    exactlyOneOf: groupsOf(childOf(node, "exactlyOneOf")),
    closed: isTrueAt(node, "closed") ? (true as const) : undefined,
    ...optional("includes", includes && namesOf(includes)),
  });
}

/** A type expression, or an object written in place. `none` is null. */
export function readValue(node: Node | undefined, reporter: Reporter): ShapeSpec {
  const type = textOf(node);
  if (type === undefined || node === undefined) return readObjectOrName(node, reporter);
  if (type.value === "none") return { kind: "null", span: type.span, constraints: [] };
  return readExpression(type, node, [], reporter);
}

/** The name of an object type, or an object written in place. */
export function readObjectOrName(
  node: Node | undefined,
  reporter: Reporter,
): ObjectSpec | RefSpec | UnknownSpec {
  const type = textOf(node);
  if (type !== undefined) return { kind: "ref", span: type.span, constraints: [], type };
  if (node?.kind !== "map" || childOf(node, "fields") === undefined) return { kind: "unknown" };
  return readObject(node, reporter);
}

function groupsOf(node: Node | undefined): readonly FieldGroupSpec[] {
  return itemsOf(node).map(namesOf);
}

function readField(node: Node, reporter: Reporter): FieldSpec | undefined {
  const name = nameAt(node, "name");
  if (name === undefined) return undefined;
  const optionalAt = isTrueAt(node, "optional") ? entryOf(node, "optional") : entryOf(node, "default");
  const when = entryOf(node, "requiredWhen");
  const whenField = nameAt(when?.value, "field");
  return {
    ...documentedOf(node, name.span),
    name,
    shape: readShape(node, reporter),
    ...optional("optional", optionalAt?.keySpan),
    ...optional("default", childOf(node, "default")),
    ...optional(
      "requiredWhen",
      when === undefined || whenField === undefined
        ? undefined
        : { span: when.keySpan, field: whenField, is: literalsOf(childOf(when.value, "is")) },
    ),
    spellings: namesOf(childOf(node, "spellings")),
    ...optional("alsoSentAs", nameAt(node, "alsoSentAs")),
    ...optional("renamedFrom", nameAt(node, "renamedFrom")),
    ...optional("identifies", nameAt(node, "identifies")),
    ...optional("refersTo", nameAt(node, "refersTo")),
    ...optional("label", textAt(node, "label")),
    sensitive: isTrueAt(node, "sensitive"),
    ...optional("example", childOf(node, "example")),
  };
}

/** The texts and truth values of a list. */
export function literalsOf(node: Node | undefined) {
  return itemsOf(node).flatMap((item) => {
    if (item.kind !== "scalar") return [];
    const { value, span } = item;
    return typeof value === "string" || typeof value === "boolean" ? { value, span } : [];
  });
}

/** Reads the shape of `type:` and the constraints beside it. */
function readShape(node: Node, reporter: Reporter): ShapeSpec {
  const type = nameAt(node, "type");
  if (type === undefined) return { kind: "unknown" };
  const constraints = constraintsOf(node);
  const shape = readExpression(type, node, constraints, reporter);
  const fields = entryOf(node, "fields");
  if (fields !== undefined && !/(?:^|[\s|(,[])object(?:$|[\s|),\]])/.test(type.value)) {
    reporter.report("fields-without-object", fields.keySpan, { type: type.value });
  }
  return shape;
}

/** Reads a type expression; constraints beside `T|null` are those of `T`. */
function readExpression(
  type: Name,
  node: Node,
  constraints: readonly ConstraintSpec[],
  reporter: Reporter,
): ShapeSpec {
  const expression = parseExpression(type.value);
  if (expression === undefined) {
    reporter.report("type-syntax", type.span, { written: type.value });
    return { kind: "unknown" };
  }
  return shapeOfExpression(expression, { type, node, reporter }, constraints);
}

/** Where an expression is written. */
interface Written {
  /** The whole of it. */
  readonly type: Name;
  /** The node that it is written in, with `fields`, `keys` and `exactlyOne` beside it. */
  readonly node: Node;
  readonly reporter: Reporter;
}

function shapeOfExpression(
  expression: TypeExpression,
  written: Written,
  constraints: readonly ConstraintSpec[],
): ShapeSpec {
  const { type, node, reporter } = written;
  const { span } = type;
  const inner = (each: TypeExpression) => shapeOfExpression(each, written, []);
  switch (expression.kind) {
    case "array":
      return { kind: "array", span, constraints, items: inner(expression.items) };
    case "map": {
      const keys = nameAt(node, "keys");
      const shape = keys && readExpression(keys, node, [], reporter);
      return { kind: "map", span, constraints, values: inner(expression.values), ...optional("keys", shape) };
    }
    case "tuple":
      return { kind: "tuple", span, constraints, items: expression.items.map(inner) };
    case "union": {
      const others = expression.alternatives.filter((each) => !isNull(each));
      const isOne = others.length === 1;
      const exactlyOne = isTrueAt(node, "exactlyOne") ? entryOf(node, "exactlyOne")?.keySpan : undefined;
      return {
        kind: "union",
        span,
        constraints: isOne ? [] : constraints,
        alternatives: expression.alternatives.map((each) =>
          shapeOfExpression(each, written, isOne && !isNull(each) ? constraints : []),
        ),
        ...optional("exactlyOne", exactlyOne),
      };
    }
    case "name": {
      const name = { value: expression.name, span: spanWithin(span, writtenAt(span), expression.name) };
      return readName(name, node, constraints, reporter);
    }
  }
}

function isNull(expression: TypeExpression): boolean {
  return expression.kind === "name" && expression.name === "null";
}

function readName(
  type: Name,
  node: Node,
  constraints: readonly ConstraintSpec[],
  reporter: Reporter,
): ShapeSpec {
  const { value, span } = type;
  const scalar = scalars.get(value);
  if (scalar !== undefined) return { kind: "scalar", span, constraints, scalar };
  if (value === "null" || value === "json") return { kind: value, span, constraints };
  if (value === "object") {
    if (childOf(node, "fields") !== undefined) return { ...readObject(node, reporter), span, constraints };
    if (node.kind !== "map" || !mayHave(node, ["fields"])) reporter.report("object-without-fields", span, {});
    return { kind: "unknown" };
  }
  return { kind: "ref", span, constraints, type };
}

function constraintsOf(node: Node): readonly ConstraintSpec[] {
  return entriesOf(node).flatMap((entry) => {
    const { value } = entry;
    if (!constraintKeys.has(entry.key) || value.kind !== "scalar" || value.value === null) return [];
    const { span: keySpan } = nameOfKey(entry);
    return { key: entry.key, keySpan, value: value.value, span: value.span };
  });
}
