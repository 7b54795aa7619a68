import type { Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";

interface Renamed {
  readonly name: Name;
  readonly renamedFrom?: Name;
}

/** Requires that a former name is no present name of its kind, and is given once. */
export function checkRenamings({ spec, shapes, objects, report }: RuleContext): void {
  const groups: readonly (readonly Renamed[])[] = [
    spec.methods,
    spec.types,
    spec.errors.map((error) => ({ ...error, name: error.code })),
    spec.events,
    ...objects.map((object) => object.fields),
    ...shapes.flatMap((shape) =>
      shape.kind === "enum" ? [shape.values.map((value) => ({ ...value, name: value.value }))] : [],
    ),
  ];
  for (const group of groups) checkGroup(group, report);
}

function checkGroup(group: readonly Renamed[], report: RuleContext["report"]): void {
  const present = new Map(group.map(({ name }) => [name.value, name]));
  const past = new Map<string, Name>();
  for (const { renamedFrom: from } of group) {
    if (from === undefined) continue;
    const other = present.get(from.value) ?? past.get(from.value);
    if (other === undefined) past.set(from.value, from);
    else {
      const related = { span: other.span, message: "here" };
      report("renamed-from-taken", from.span, { name: from.value }, related);
    }
  }
}
