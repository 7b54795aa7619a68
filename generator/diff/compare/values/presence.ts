import { resolve, type ObjectTypeShape, type Presence, type ServiceModel } from "../../../model/index.ts";
import { placesAt, type Step, type ValueWalk } from "./value-walk.ts";
import { conditionText } from "../phrases.ts";

type Condition = Extract<Presence, { kind: "required-when" }>;

/** The old object that fields are in, and what its fields are called now, by their new names. */
export interface Siblings {
  readonly object: ObjectTypeShape;
  readonly formerNames: ReadonlyMap<string, string>;
}

/** Compares when a field has to be there. */
export function comparePresence(
  walk: ValueWalk,
  step: Step,
  old: Presence,
  recent: Presence,
  siblings: Siblings,
): void {
  const family = familyOf(walk.old, old, inFormerNames(recent, siblings), siblings);
  if (family === undefined) return;
  const { old: before } = placesAt(step, keyOf(old));
  const { new: now } = placesAt(step, keyOf(recent));
  walk.find(family, step, {
    facts: { name: step.name, from: conditionText(old), to: conditionText(recent) },
    old: before,
    new: now,
  });
}

function keyOf({ kind }: Presence): string {
  return kind === "required-when" ? "requiredWhen" : "optional";
}

function inFormerNames(presence: Presence, { formerNames }: Siblings): Presence {
  if (presence.kind !== "required-when") return presence;
  return { ...presence, field: formerNames.get(presence.field) ?? presence.field };
}

function familyOf(model: ServiceModel, old: Presence, recent: Presence, { object }: Siblings) {
  if (old.kind === "required-when" && recent.kind === "required-when")
    return conditionFamily(old, recent, (added) => couldBeMet(model, object, added));
  if (old.kind === recent.kind) return undefined;
  switch (old.kind) {
    case "optional":
      return recent.kind === "required" ? "field-optional-to-required" : "field-optional-to-required-when";
    case "required":
      return recent.kind === "optional" ? "field-required-to-optional" : "field-required-to-required-when";
    case "required-when":
      return recent.kind === "optional"
        ? "field-required-when-to-optional"
        : "field-required-when-to-required";
  }
}

function conditionFamily(old: Condition, recent: Condition, couldBe: (condition: Condition) => boolean) {
  const gained = recent.values.filter((value) => !old.values.includes(value));
  const lost = old.values.filter((value) => !recent.values.includes(value));
  if (old.field !== recent.field) return "field-condition-changed";
  if (gained.length === 0 && lost.length === 0) return undefined;
  if (lost.length === 0)
    return couldBe({ ...recent, values: gained }) ? "field-condition-widened" : "field-condition-widened-new";
  return gained.length === 0 ? "field-condition-narrowed" : "field-condition-changed";
}

/** Whether a value of the old object could meet the condition. */
export function couldBeMet(model: ServiceModel, object: ObjectTypeShape, condition: Condition): boolean {
  const sibling = object.fields.find(({ name }) => name === condition.field);
  if (sibling === undefined) return false;
  const shape = resolve(model, sibling.shape);
  if (shape.kind === "enum")
    return shape.values.some(({ value }) => typeof value === "string" && condition.values.includes(value));
  if (shape.kind !== "string" && shape.kind !== "boolean") return true;
  return shape.const === undefined || condition.values.includes(shape.const);
}
