import type { FieldModel, ObjectTypeShape, Presence, Shape } from "../../../model/index.ts";
import { compareClosed } from "./closed.ts";
import { compareGroups } from "./groups.ts";
import { compareSince, compareSunset } from "../definitions.ts";
import { pairUp, type Pair, type Pairs } from "../pair-up.ts";
import { comparePresence, couldBeMet, type Siblings } from "./presence.ts";
import { compareAliases, meaningsLost } from "./aliases.ts";
import type { CompareShapes, Step, ValueWalk } from "./value-walk.ts";
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
  for (const { name, span, previous } of meaningsLost(step.direction, fields)) {
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
      (before, now) => now.spellings.includes(before.name) || now.alsoSentAs === before.name,
      (before, now) => now.name.toLowerCase() === before.name.toLowerCase(),
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
  };
  if (old.name !== recent.name) {
    const family = goesByOldName(step, old, recent) ? "field-renamed-compatibly" : "field-renamed";
    walk.find(family, inner, { facts: { name: recent.name, of, from: old.name, to: recent.name } });
  }
  comparePresence(walk, inner, old.presence, recent.presence, siblings);
  compareAliases(walk, inner, old, recent);
  const [before, now]: readonly [Shape, Shape] = [old.shape, recent.shape];
  compare(walk, inner, before, now);
}

/** Requests match names ignoring case (D-11); answers and events send the second name too. */
function goesByOldName({ direction }: Step, old: FieldModel, recent: FieldModel): boolean {
  if (direction !== "request") return recent.alsoSentAs === old.name;
  const names = [recent.name, ...recent.spellings].map((name) => name.toLowerCase());
  return names.includes(old.name.toLowerCase());
}
