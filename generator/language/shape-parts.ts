import type { ScalarShape } from "../../conformance/suite/shape.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { Name } from "./documented-spec.ts";
import type { FieldGroupSpec, FieldSpec, ObjectSpec } from "./shape-spec.ts";

/**
 * How many objects and arrays may stand in one another over all types on the way. Half of the depth that was seen to
 * work. Through 3,000 levels, as a chain, a circle, lists or alternatives, every target was generated and the zod
 * schemas read a value.
 */
export const typeDepthMax = 1_500;

/** How many types may include one another. */
export const includesDepthMax = 300;

/** A shape of a spec or of a model, with shapes of its own sort inside. */
type Composed<S> =
  | { readonly kind: "array"; readonly items: S }
  | { readonly kind: "object"; readonly fields: readonly { readonly shape: S }[] }
  | { readonly kind: "nullable"; readonly shape: S }
  | { readonly kind: "map"; readonly keys?: S; readonly values: S }
  | { readonly kind: "tuple"; readonly items: readonly S[] }
  | { readonly kind: "union"; readonly alternatives: readonly S[] }
  | { readonly kind: "tagged"; readonly cases: readonly { readonly shape: S }[] }
  | { readonly kind: SpecLeaf | ModelLeaf };

type SpecLeaf = "scalar" | "enum" | "ref" | "null" | "json" | "unknown";
type ModelLeaf = ScalarShape["kind"] | "enum" | "ref" | "null" | "json";

/** The shapes directly inside a shape; the type that a reference names is not inside it. */
export function shapeParts<S>(shape: Composed<S>): readonly S[] {
  switch (shape.kind) {
    case "array":
      return [shape.items];
    case "object":
      return shape.fields.map((field) => field.shape);
    case "nullable":
      return [shape.shape];
    case "map":
      return shape.keys === undefined ? [shape.values] : [shape.keys, shape.values];
    case "tuple":
      return shape.items;
    case "union":
      return shape.alternatives;
    case "tagged":
      return shape.cases.map((each) => each.shape);
    default:
      return [];
  }
}

/** The groups of an object: of its own fields, and of paths into objects within. */
export function fieldGroups({ fields, atLeastOneOf, exactlyOneOf }: ObjectSpec) {
  const [atLeast, exactly] = [atLeastOneOf, exactlyOneOf].map((groups) => {
    const paths = groups.map((group) => group.map((member) => pathOf(member, fields)));
    const nested = paths.filter((group) => !isPlain(group));
    return {
      plain: paths.filter(isPlain).map((group) => group.flat()),
      nested: nested.length === 0 ? undefined : nested,
    };
  });
  return omitUndefined({
    atLeastOneOf: atLeast?.plain ?? [],
    atLeastOnePath: atLeast?.nested,
    exactlyOneOf: exactly?.plain ?? [],
    exactlyOnePath: exactly?.nested,
  });
}

function isPlain(group: readonly (readonly string[])[]): boolean {
  return group.every(({ length }) => length === 1);
}

/** The steps of `address.street`; a field whose name has dots is one step. */
export function pathOf({ value }: Name, fields: readonly FieldSpec[]): readonly string[] {
  return fields.some(({ name }) => name.value === value) ? [value] : value.split(".");
}

/** The fields of the object with which the members of a group begin. */
export function firstFields(group: FieldGroupSpec, { fields }: ObjectSpec): readonly FieldSpec[] {
  return group.flatMap((member) => {
    const [first] = pathOf(member, fields);
    return fields.filter(({ name }) => name.value === first);
  });
}
