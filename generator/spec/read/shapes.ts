import type { Reporter } from "../../diagnostics/index.ts";
import { writtenAt, type Node } from "../../syntax/index.ts";
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
  entriesOf,
  entryOf,
  isTrueAt,
  itemsOf,
  mapsOf,
  nameAt,
  nameOfKey,
  namesOf,
  optional,
  spanWithin,
  textOf,
} from "./access.ts";
import { mayHave } from "../suggest-key.ts";
import { documentedOf } from "./documented.ts";

const constraintKeys: ReadonlySet<string> = new Set([
  "const",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "uniqueItems",
]);

const scalars: ReadonlyMap<string, ScalarType> = new Map(scalarTypes.map((name) => [name, name]));

export function readType(name: Name, node: Node, reporter: Reporter): TypeSpec {
  return {
    ...documentedOf(node, name.span),
    name,
    shape: readDefinition(name, node, reporter),
    ...optional("renamedFrom", nameAt(node, "renamedFrom")),
    ...optional("example", childOf(node, "example")),
  };
}

function readDefinition(name: Name, node: Node, reporter: Reporter): ShapeSpec {
  if (node.kind !== "map") return { kind: "unknown" };
  const kinds = ["fields", "enum", "type"].filter((key) => entryOf(node, key) !== undefined);
  const isArrayOfObjects = kinds.length === 2 && textOf(childOf(node, "type"))?.value === "array of object";
  if (kinds.length !== 1 && !(isArrayOfObjects && kinds[0] === "fields")) {
    if (kinds.length > 0 || !mayHave(node, ["fields", "enum", "type"])) {
      reporter.report("definition-kind", name.span, { name: name.value, found: kinds });
    }
    return { kind: "unknown" };
  }
  if (kinds[0] === "enum") return readEnum(node);
  return kinds.includes("type") ? readShape(node, reporter) : readObject(node, reporter);
}

function readEnum(node: Node): EnumSpec {
  const values = mapsOf(childOf(node, "enum")).flatMap((item) => {
    const value = nameAt(item, "value");
    if (value === undefined) return [];
    return {
      ...documentedOf(item, value.span),
      value,
      ...optional("renamedFrom", nameAt(item, "renamedFrom")),
    };
  });
  return { kind: "enum", span: node.span, constraints: constraintsOf(node), values };
}

/** An object: `fields` and its groups. */
export function readObject(node: Node, reporter: Reporter): ObjectSpec {
  return {
    kind: "object",
    span: node.span,
    constraints: constraintsOf(node),
    fields: mapsOf(childOf(node, "fields")).flatMap((item) => readField(item, reporter) ?? []),
    atLeastOneOf: groupsOf(childOf(node, "atLeastOneOf")),
    exactlyOneOf: groupsOf(childOf(node, "exactlyOneOf")),
  };
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
  const optionalAt = entryOf(node, "optional");
  const when = entryOf(node, "requiredWhen");
  const whenField = nameAt(when?.value, "field");
  return {
    ...documentedOf(node, name.span),
    name,
    shape: readShape(node, reporter),
    ...optional("optional", isTrueAt(node, "optional") ? optionalAt?.keySpan : undefined),
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
    sensitive: isTrueAt(node, "sensitive"),
    ...optional("example", childOf(node, "example")),
  };
}

function literalsOf(node: Node | undefined) {
  return itemsOf(node).flatMap((item) => {
    if (item.kind !== "scalar") return [];
    const { value, span } = item;
    return typeof value === "string" || typeof value === "boolean" ? { value, span } : [];
  });
}

/** What `type:` and the constraints beside it say. */
function readShape(node: Node, reporter: Reporter): ShapeSpec {
  const type = nameAt(node, "type");
  if (type === undefined) return { kind: "unknown" };
  const constraints = constraintsOf(node);
  const shape = readExpression(type, node, constraints, reporter);
  const fields = entryOf(node, "fields");
  if (fields !== undefined && type.value !== "object" && type.value !== "array of object") {
    reporter.report("fields-without-object", fields.keySpan, { type: type.value });
  }
  return shape;
}

function readExpression(
  type: Name,
  node: Node,
  constraints: readonly ConstraintSpec[],
  reporter: Reporter,
): ShapeSpec {
  const { value, span } = type;
  const scalar = scalars.get(value);
  if (scalar !== undefined) return { kind: "scalar", span, constraints, scalar };
  const itemText = /^array of (\S+)$/.exec(value)?.[1];
  if (itemText !== undefined) {
    const item = { value: itemText, span: spanWithin(span, writtenAt(span), itemText) };
    const items = readExpression(item, node, [], reporter);
    return { kind: "array", span, constraints, items };
  }
  if (value === "object") {
    if (childOf(node, "fields") !== undefined) return { ...readObject(node, reporter), span, constraints };
    if (node.kind === "map" && !mayHave(node, ["fields"])) reporter.report("object-without-fields", span, {});
    return { kind: "unknown" };
  }
  if (value === "array" || value === "of" || !/^[^\s[\]{}<>|?&,]+$/.test(value)) {
    reporter.report("type-syntax", span, { written: value });
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
