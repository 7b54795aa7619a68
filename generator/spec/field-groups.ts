import { omitUndefined } from "../../conformance/omit-undefined.ts";
import type { Name } from "./documented-spec.ts";
import type { FieldGroupSpec, FieldSpec, ObjectSpec } from "./shape-spec.ts";

/** The groups of an object of which at least one is present: of its own fields, and of paths into objects within. */
export function fieldGroups({ fields, atLeastOneOf }: ObjectSpec) {
  const paths = atLeastOneOf.map((group) => group.map((member) => pathOf(member, fields)));
  const nested = paths.filter((group) => !isPlain(group));
  return omitUndefined({
    atLeastOneOf: paths.filter(isPlain).map((group) => group.flat()),
    atLeastOnePath: nested.length === 0 ? undefined : nested,
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
