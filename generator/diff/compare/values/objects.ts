import {
  resolve,
  type FieldModel,
  type ObjectTypeShape,
  type Presence,
  type ServiceModel,
  type Shape,
} from "../../../model/index.ts";
import { compareGroups } from "./groups.ts";
import { compareSince, compareSunset } from "../definitions.ts";
import { protocolOf } from "../../../protocols/index.ts";
import { pairUp, type Pair, type Pairs } from "../pair-up.ts";
import { compareAliases, meaningsLost } from "./aliases.ts";
import { placesAt, type CompareShapes, type Step, type ValueWalk } from "./value-walk.ts";
import { code, conditionText, typeText } from "../phrases.ts";

/** Compares the fields of an object, whatever order they are in. */
export function compareObjects(
  walk: ValueWalk,
  step: Step,
  old: ObjectTypeShape,
  recent: ObjectTypeShape,
  compare: CompareShapes,
): void {
  const fields = pairFields(old, recent);
  const of = ownerText(step);
  const inside = (name: string): string => `${step.path}/${name}`;
  compareClosed(walk, step, old, recent, fields);
  for (const field of fields.removed) {
    const near = step.places.new ?? step.places.near;
    const name = `\`${field.name}\` of ${of}`;
    const notes = compareSunset(walk.comparison, inside(field.name), name, field, near);
    const family = field.presence.kind === "optional" ? "field-removed-optional" : "field-removed-required";
    walk.find(family, step, {
      path: inside(field.name),
      facts: { name: field.name, of, from: typeText(field.shape) },
      old: field.span,
      new: undefined,
      near,
      notes,
    });
  }
  for (const field of fields.added) added(walk, step, of, old, field);
  const formerNames = new Map(fields.pairs.map((pair) => [pair.new.name, pair.old.name]));
  for (const pair of fields.pairs) comparePair(walk, step, of, pair, { object: old, formerNames }, compare);
  const reused = step.isNameless === true ? [] : meaningsLost(step.direction, fields);
  for (const { name, span, previous } of reused) {
    walk.find("field-name-reused", step, {
      path: inside(name),
      facts: { name, of, from: previous.name },
      old: previous.span,
      new: span,
    });
  }
  compareGroups(walk, step, of, { old, new: recent }, fields);
}

/** By name, by past name, by a second name that is the old one, or by a name that differs in case only. */
export function pairFields(old: ObjectTypeShape, recent: ObjectTypeShape): Pairs<FieldModel> {
  return pairUp(old.fields, recent.fields, {
    nameOf: ({ name }) => name,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
    alike: [
      ({ name, spellings, alsoSentAs }, side) =>
        side === "old" ? [name] : [...spellings, ...(alsoSentAs === undefined ? [] : [alsoSentAs])],
      ({ name }) => [name.toLowerCase()],
    ],
  });
}

function ownerText({ name, of }: Step): string {
  if (of === "this interface") return code(name);
  return of === "" ? name : `\`${name}\` in ${of}`;
}

function added(walk: ValueWalk, step: Step, of: string, old: ObjectTypeShape, field: FieldModel): void {
  const to = field.presence.kind === "required-when" ? conditionText(field.presence) : typeText(field.shape);
  walk.find(familyOfAdded(walk, old, field.presence), step, {
    path: `${step.path}/${field.name}`,
    facts: { name: field.name, of, to },
    old: undefined,
    new: field.span,
  });
  compareSince(walk.comparison, `${step.path}/${field.name}`, `\`${field.name}\` of ${of}`, field);
}

function familyOfAdded(walk: ValueWalk, old: ObjectTypeShape, presence: Presence) {
  if (presence.kind === "required") return "field-added-required";
  if (presence.kind === "optional") return "field-added-optional";
  return couldBeMet(walk.old, old, presence) ? "field-added-required-when" : "field-added-required-when-new";
}

function comparePair(
  walk: ValueWalk,
  step: Step,
  of: string,
  { old, new: recent }: Pair<FieldModel>,
  siblings: Siblings,
  compare: CompareShapes,
): void {
  const inner: Step = {
    ...step,
    path: `${step.path}/${recent.name}`,
    name: recent.name,
    of,
    places: { old: old.span, new: recent.span },
    types: {},
    requiredBefore: old.presence.kind === "required",
    requiredNow: recent.presence.kind === "required",
    isNameless: false,
  };
  if (old.name !== recent.name && step.isNameless === true) {
    const report = walk.comparison.at({ path: inner.path, name: old.name, old, new: recent });
    report("generated-name-changed", { from: code(old.name), to: code(recent.name) });
  } else if (old.name !== recent.name) {
    const family = goesByOldName(walk, step, old, recent) ? "field-renamed-compatibly" : "field-renamed";
    walk.find(family, inner, { facts: { name: recent.name, of, from: old.name, to: recent.name } });
  }
  comparePresence(walk, inner, old.presence, recent.presence, siblings);
  compareAliases(walk, inner, old, recent);
  const [before, now]: readonly [Shape, Shape] = [old.shape, recent.shape];
  compare(walk, inner, before, now);
}

/** Requests of some protocols match names ignoring case (D-11); answers and events send the second name too. */
function goesByOldName(walk: ValueWalk, { direction }: Step, old: FieldModel, recent: FieldModel): boolean {
  if (direction !== "request") return recent.alsoSentAs === old.name;
  if (!protocolOf(walk.new).ignoresCase) return false;
  const names = [recent.name, ...recent.spellings].map((name) => name.toLowerCase());
  return names.includes(old.name.toLowerCase());
}

type Condition = Extract<Presence, { kind: "required-when" }>;

/** The old object that fields are in, and what its fields are called now, by their new names. */
interface Siblings {
  readonly object: ObjectTypeShape;
  readonly formerNames: ReadonlyMap<string, string>;
}

/** Compares when a field has to be there. */
function comparePresence(
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
function couldBeMet(model: ServiceModel, object: ObjectTypeShape, condition: Condition): boolean {
  const sibling = object.fields.find(({ name }) => name === condition.field);
  if (sibling === undefined) return false;
  const shape = resolve(model, sibling.shape);
  if (shape.kind === "enum")
    return shape.values.some(({ value }) => typeof value === "string" && condition.values.includes(value));
  if (shape.kind !== "string" && shape.kind !== "boolean") return true;
  return shape.const === undefined || condition.values.includes(shape.const);
}

/** A closed object refuses members that it does not list: those that came later, and those that have gone. */
function compareClosed(
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
