import type { FieldModel, ObjectTypeShape, ServiceModel, Shape } from "../model/service-model.ts";
import { docComment, type Remarks } from "./doc-comment.ts";
import { braces, deeper, lines, separated, type Printable } from "./layout.ts";
import { jsonLiteral, propertyName, stringLiteral } from "./literals.ts";
import { fieldDoc, objectDoc } from "./presence.ts";

/** Differences between the types of handlers and those of clients. */
export interface TypeStyle {
  /** The type of a decimal amount. */
  readonly money: Printable;
  /** The type of any JSON value; `unknown` if absent. */
  readonly json?: Printable;
  /** Whether a value that responses repeat under a second name (D-12) is declared under that one too. */
  readonly doubledSpellings: boolean;
}

/** The names of the model's types, by their names in the spec. */
export type TypeNames = ReadonlyMap<string, string>;

export function typeNames(model: ServiceModel): TypeNames {
  return new Map(model.types.map((type) => [type.name, type.names.type]));
}

/** The exported declaration of a type: an interface for an object, an alias for anything else. */
export function typeDeclaration(
  name: string,
  remarks: Remarks,
  shape: Shape,
  names: TypeNames,
  style: TypeStyle,
): Printable {
  if (shape.kind === "object" && shape.fields.length > 0) {
    const comment = docComment({ ...remarks, doc: objectDoc(remarks.doc, shape) });
    return [comment, `export interface ${name} `, objectType(shape, names, style)];
  }
  const comment = docComment(remarks);
  if (shape.kind === "enum") return [comment, documentedUnion(name, shape)];
  return [comment, `export type ${name} = `, typeExpression(shape, names, style), ";"];
}

/** A union of types under a name. */
export function unionDeclaration(name: string, remarks: Remarks, members: readonly Printable[]): Printable {
  return [docComment(remarks), `export type ${name} = `, deeper(alternatives(members)), ";"];
}

/** A shape as a type expression. */
export function typeExpression(shape: Shape, names: TypeNames, style: TypeStyle): Printable {
  switch (shape.kind) {
    case "string":
      return shape.const === undefined ? "string" : stringLiteral(shape.const);
    case "number":
    case "integer":
      return shape.const === undefined ? "number" : String(shape.const);
    case "bigint":
      return "bigint";
    case "money":
      return style.money;
    case "boolean":
      return shape.const === undefined ? "boolean" : String(shape.const);
    case "enum":
      return alternatives(shape.values.map((value) => jsonLiteral(value.value)));
    case "ref":
      return names.get(shape.type) ?? "never";
    case "array": {
      const items = typeExpression(shape.items, names, style);
      if (!isUnion(shape.items)) return ["readonly ", items, "[]"];
      return ["readonly (", deeper(items), ")[]"];
    }
    case "object":
      return objectType(shape, names, style);
    case "null":
      return "null";
    case "json":
      return style.json ?? "unknown";
    case "nullable":
      if (shape.shape.kind === "object") return [objectType(shape.shape, names, style), " | null"];
      return alternatives(membersOf(shape, names, style));
    case "union":
    case "tagged":
      return alternatives(membersOf(shape, names, style));
    case "map":
      // Not `Record`: a map of itself would refer to itself while it is declared.
      return ["{ readonly [name: string]: ", typeExpression(shape.values, names, style), " }"];
    case "tuple":
      return [
        "readonly [",
        separated(
          ", ",
          shape.items.map((item) => typeExpression(item, names, style)),
        ),
        "]",
      ];
  }
}

/** The members of a union: those of a union inside it are its own. */
function membersOf(shape: Shape, names: TypeNames, style: TypeStyle): readonly Printable[] {
  switch (shape.kind) {
    case "enum":
      return shape.values.map((value) => jsonLiteral(value.value));
    case "union":
      return shape.alternatives.flatMap((each) => membersOf(each, names, style));
    case "nullable":
      return [...membersOf(shape.shape, names, style), "null"];
    case "tagged": {
      const [open, close] = shape.cases.length > 1 ? ["(", ")"] : ["", ""];
      const member = propertyName(shape.discriminator);
      return shape.cases.map(({ tag, shape: object }) => {
        const type = typeExpression(object, names, style);
        return [open, type, ` & { readonly ${member}: ${stringLiteral(tag)} }`, close];
      });
    }
    default:
      return [typeExpression(shape, names, style)];
  }
}

/** Whether a type expression needs parentheses before `[]`. */
function isUnion(shape: Shape): boolean {
  if (shape.kind === "enum") return shape.values.length > 1;
  return ["nullable", "union", "tagged", "array", "tuple"].includes(shape.kind);
}

/** The braces and members of an object type, one member a line. `absent` names members that it never has. */
export function objectType(
  shape: ObjectTypeShape,
  names: TypeNames,
  style: TypeStyle,
  absent: readonly string[] = [],
): Printable {
  const members = [
    ...shape.fields.flatMap((field) => fieldMembers(field, names, style)),
    ...absent.map((name) => ["readonly ", propertyName(name), "?: never;"]),
  ];
  if (members.length === 0) return "{ readonly [name: string]: never }";
  return braces(members);
}

function fieldMembers(field: FieldModel, names: TypeNames, style: TypeStyle): Printable[] {
  const mark = field.presence.kind === "required" ? ": " : "?: ";
  const type = typeExpression(field.shape, names, style);
  const own = [
    docComment({ ...field, doc: fieldDoc(field) }),
    "readonly ",
    propertyName(field.name),
    mark,
    type,
    ";",
  ];
  if (!style.doubledSpellings || field.alsoSentAs === undefined) return [own];
  const comment = docComment({
    doc: `The same value as \`${field.name}\`.`,
    decisions: field.decisions,
    deprecated: `Read \`${field.name}\`.`,
  });
  return [own, [comment, "readonly ", propertyName(field.alsoSentAs), "?: ", type, ";"]];
}

function alternatives(members: readonly Printable[]): Printable {
  if (members.length === 0) return "never";
  return separated(" | ", members);
}

/** An enum's values, each with its meaning. */
function documentedUnion(name: string, shape: Shape & { readonly kind: "enum" }): Printable {
  const isDocumented = shape.values.some((value) => value.doc !== "" || value.deprecated !== undefined);
  if (!isDocumented)
    return unionDeclaration(
      name,
      {},
      shape.values.map((value) => jsonLiteral(value.value)),
    );
  const bar = shape.values.length > 1 ? "| " : "";
  const members = shape.values.map((value) => [docComment(value), bar, jsonLiteral(value.value)]);
  return [`export type ${name} =\n`, deeper(lines(members)), ";"];
}
