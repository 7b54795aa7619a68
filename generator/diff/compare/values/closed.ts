import type { FieldModel, ObjectTypeShape } from "../../../model/index.ts";
import { code } from "../phrases.ts";
import type { Pairs } from "../pair-up.ts";
import { placesAt, type Step, type ValueWalk } from "./value-walk.ts";

/** A closed object refuses members that it does not list: those that came later, and those that have gone. */
export function compareClosed(
  walk: ValueWalk,
  step: Step,
  old: ObjectTypeShape,
  recent: ObjectTypeShape,
  { added, removed }: Pairs<FieldModel>,
): void {
  const [open, closed] = [code("object"), code("object, closed: true")];
  const having = (fields: readonly FieldModel[]): string =>
    `${closed} with ${fields.map(({ name }) => code(name)).join(", ")}`;
  const find = (family: "type-widened" | "type-narrowed", from: string, to: string): void =>
    walk.find(family, step, { facts: { name: step.name, from, to }, ...placesAt(step, "closed") });
  if (old.closed !== recent.closed) {
    if (recent.closed === true) find("type-narrowed", open, closed);
    else find("type-widened", closed, open);
  } else if (recent.closed === true) {
    // The reader of a request knows its own members, and the sender leaves out members that it does not know.
    if (added.length > 0 && step.direction !== "request") find("type-widened", closed, having(added));
    if (removed.length > 0 && step.direction === "request") find("type-narrowed", having(removed), closed);
  }
}
