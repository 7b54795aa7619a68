import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { Name } from "./documented-spec.ts";
import type { FieldGroupSpec, FieldSpec, ObjectSpec } from "./shape-spec.ts";

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
