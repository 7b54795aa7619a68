import type { FieldModel, ObjectTypeShape } from "../model/service-model.ts";
import { deeper, separated, type Printable } from "./layout.ts";
import { propertyName, stringLiteral } from "./literals.ts";
import { typeExpression, type TypeNames, type TypeStyle } from "./type-expression.ts";

/**
 * The fields of an object that have to be present together, as types that narrow the object's own by intersection. A
 * condition on a field whose values no type can leave out is not among them.
 */
export function presenceTypes(
  shape: ObjectTypeShape,
  names: TypeNames,
  style: TypeStyle,
): readonly Printable[] {
  const { typeOf, present } = membersIn(shape, names, style);
  return [
    ...conditionsOf(shape).map((condition) => requirement(condition, typeOf, present)),
    ...groupTypes(shape, names, style),
  ];
}

/** The groups of which fields have to be present, as types that narrow the object's own by intersection. */
export function groupTypes(shape: ObjectTypeShape, names: TypeNames, style: TypeStyle): readonly Printable[] {
  const { present } = membersIn(shape, names, style);
  return [
    ...shape.atLeastOneOf.map((names) => union(names.map((name) => members([present(name)])))),
    ...shape.exactlyOneOf.map((names) =>
      union(names.map((name) => members(names.map((one) => (one === name ? present(one) : absent(one)))))),
    ),
  ];
}

/** Fields of an object by name: the type of one, and the member that has it. */
function membersIn(shape: ObjectTypeShape, names: TypeNames, style: TypeStyle) {
  const typeOf = (name: string): Printable => {
    const field = shape.fields.find((one) => one.name === name);
    return field === undefined ? "unknown" : typeExpression(field.shape, names, style);
  };
  const present = (name: string): Printable => ["readonly ", propertyName(name), ": ", typeOf(name)];
  return { typeOf, present };
}

function absent(name: string): Printable {
  return ["readonly ", propertyName(name), "?: never"];
}

/** A field, and which others have to be there when it has one of these values. */
interface Condition {
  readonly field: FieldModel;
  readonly values: readonly (string | boolean)[];
  readonly required: readonly string[];
}

function conditionsOf({ fields }: ObjectTypeShape): readonly Condition[] {
  const conditions = fields.flatMap(({ name, presence }) =>
    presence.kind === "required-when" ? [{ name, presence }] : [],
  );
  const together = Map.groupBy(conditions, ({ presence }) =>
    JSON.stringify([presence.field, presence.values]),
  );
  return [...together.values()].flatMap((group) => {
    const [{ presence } = {}] = group;
    const field = fields.find(({ name }) => name === presence?.field);
    if (presence === undefined || field === undefined || field.shape.kind === "string") return [];
    return [{ field, values: presence.values, required: group.map(({ name }) => name) }];
  });
}

function requirement(
  { field, values, required }: Condition,
  typeOf: (name: string) => Printable,
  present: (name: string) => Printable,
): Printable {
  const name = ["readonly ", propertyName(field.name)];
  const found = separated(
    " | ",
    values.map((value) => (typeof value === "string" ? stringLiteral(value) : String(value))),
  );
  const others = [
    name,
    field.presence.kind === "required" ? "" : "?",
    ": Exclude<",
    typeOf(field.name),
    ", ",
    found,
    ">",
  ];
  return union([members([[name, ": ", found], ...required.map(present)]), members([others])]);
}

function members(texts: readonly Printable[]): Printable {
  return ["{ ", deeper(separated("; ", texts)), " }"];
}

function union(alternatives: readonly Printable[]): Printable {
  return ["(", deeper(separated(" | ", alternatives)), ")"];
}
