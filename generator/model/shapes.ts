import {
  isUnique,
  numberOf,
  presenceOf,
  resolveShape,
  scalarShape,
  type EnumSpec,
  type FieldSpec,
  type ObjectSpec,
  type RefSpec,
  type Scope,
  type ShapeSpec,
  type UnionSpec,
  type UnknownSpec,
} from "../spec/index.ts";
import { documented } from "./documented.ts";
import { exampleValue } from "./examples.ts";
import { assignNames, noNames } from "./names.ts";
import type { EnumShape, FieldModel, ObjectTypeShape, Shape } from "./service-model.ts";
import { omitUndefined } from "../source/omit-undefined.ts";

/** A shape whose rules have been checked, as emitters read it. */
export function shapeOf(spec: ShapeSpec, scope: Scope): Shape {
  switch (spec.kind) {
    case "scalar":
      return scalarShape(spec);
    case "enum":
      return enumShape(spec);
    case "object":
      return objectShape(spec, scope);
    case "array":
      return omitUndefined({
        kind: "array",
        items: shapeOf(spec.items, scope),
        itemsMin: numberOf(spec, "minItems"),
        itemsMax: numberOf(spec, "maxItems"),
        unique: isUnique(spec),
      });
    case "ref":
      return { kind: "ref", type: spec.type.value };
    case "null":
    case "json":
      return { kind: spec.kind };
    case "map":
      return omitUndefined({
        kind: "map",
        values: shapeOf(spec.values, scope),
        keys: spec.keys && shapeOf(spec.keys, scope),
      });
    case "tuple":
      return { kind: "tuple", items: spec.items.map((item) => shapeOf(item, scope)) };
    case "union":
      return unionShape(spec, scope);
    case "tagged":
      return {
        kind: "tagged",
        discriminator: spec.discriminator.value,
        cases: spec.cases.map(({ tag, shape }) => ({
          tag: tag.value,
          shape: { kind: "ref", type: shape.type.value },
        })),
      };
    case "unknown":
      throw new Error("a shape that failed its check reached the model");
  }
}

/** `T|null` is its own kind; of several alternatives with null, all but null are one union. */
function unionShape({ alternatives, exactlyOne }: UnionSpec, scope: Scope): Shape {
  const others = alternatives.filter(({ kind }) => kind !== "null").map((each) => shapeOf(each, scope));
  const [only] = others;
  if (only === undefined) return { kind: "null" };
  const shape: Shape =
    others.length === 1
      ? only
      : { kind: "union", alternatives: others, exactlyOne: exactlyOne !== undefined };
  return others.length === alternatives.length ? shape : { kind: "nullable", shape };
}

/** What a method answers; a named object is given by its fields. */
export function resultShapeOf(spec: ShapeSpec, scope: Scope): Shape {
  const resolved = resolveShape(spec, scope);
  return resolved?.kind === "object" ? objectShape(resolved, scope) : shapeOf(spec, scope);
}

/** The fields of an object, or of the object type that is named. */
export function objectShapeOf(spec: ObjectSpec | RefSpec | UnknownSpec, scope: Scope): ObjectTypeShape {
  const resolved = resolveShape(spec, scope);
  if (resolved?.kind !== "object")
    throw new Error("what has to be an object reached the model as something else");
  return objectShape(resolved, scope);
}

function objectShape(spec: ObjectSpec, scope: Scope): ObjectTypeShape {
  return {
    kind: "object",
    fields: spec.fields.map((field) => fieldModel(field, scope)),
    atLeastOneOf: spec.atLeastOneOf.map((group) => group.map((name) => name.value)),
    exactlyOneOf: spec.exactlyOneOf.map((group) => group.map((name) => name.value)),
    ...(spec.closed === true ? { closed: true as const } : {}),
  };
}

function fieldModel(spec: FieldSpec, scope: Scope): FieldModel {
  return omitUndefined({
    ...documented(spec),
    name: spec.name.value,
    shape: shapeOf(spec.shape, scope),
    presence: presenceOf(spec),
    default: spec.default && exampleValue(spec.default, spec.shape, scope),
    spellings: spec.spellings.map((spelling) => spelling.value),
    alsoSentAs: spec.alsoSentAs?.value,
    renamedFrom: spec.renamedFrom?.value,
    identifies: spec.identifies?.value,
    refersTo: spec.refersTo?.value,
    sensitive: spec.sensitive,
    example: spec.example && exampleValue(spec.example, spec.shape, scope),
  });
}

function enumShape(spec: EnumSpec): EnumShape {
  const values = spec.values.map((value) => value.value.value);
  const names = assignNames("Value", new Map(values.map((value) => [value, value])), noNames());
  return {
    kind: "enum",
    values: spec.values.flatMap((value) => {
      const assigned = names.get(value.value.value);
      return assigned === undefined
        ? []
        : omitUndefined({
            ...documented(value),
            value: value.integer ?? value.value.value,
            names: assigned,
            renamedFrom: value.renamedFrom?.value,
          });
    }),
  };
}
