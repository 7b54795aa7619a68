import {
  resolve,
  type FieldModel,
  type ObjectTypeShape,
  type Presence,
  type ServiceModel,
  type Shape,
} from "../../model/index.ts";
import { ruleOf } from "../rules/index.ts";
import type { Change } from "../rules/change.ts";
import { pairFields } from "../compare/values/objects.ts";
import { pairTypes } from "../compare/types.ts";
import {
  isRecord,
  shapeAt,
  valueAt,
  wayToType,
  withoutValueAt,
  withValueAt,
  type ValuePath,
} from "./places-in-values.ts";
import { fits, refusedValue, sampleOf, type Revisions, type Shapes } from "./sample.ts";

/**
 * An example of the old revision, made to show a change: right before, and where that can be, wrong after. Where nothing
 * can be made of it, the example as it is.
 */
export function changeExample(
  revisions: Revisions,
  change: Change,
  shapes: Shapes,
  example: unknown,
): unknown {
  const ways = waysTo(revisions, change, shapes);
  return ways === undefined ? example : translated({ revisions, shapes, ways }, change, example);
}

/**
 * An example of the new revision, made to show a change of what is read: right now, and where that can be, impossible
 * before. It is what the opposite change would refuse.
 */
export function changeExampleAnswer(
  { old, new: recent }: Revisions,
  change: Change,
  { before, now }: Shapes,
  example: unknown,
): unknown {
  const ways = waysTo({ old, new: recent }, change, { before, now });
  const [inverse = change.rule] = ruleOf(change.rule).inverse;
  if (ways === undefined) return example;
  const { from, to } = change.facts;
  // For a group, `to` is the member that came or went.
  const facts = inverse.includes("-group-") ? change.facts : { ...change.facts, from: to, to: from };
  const opposite = { ...change, rule: inverse, facts };
  const reversed: Stage = {
    revisions: { old: recent, new: old },
    shapes: { before: now, now: before },
    ways: { old: ways.new, new: ways.old },
  };
  return translated(reversed, opposite, example);
}

interface Ways {
  readonly old: ValuePath;
  readonly new: ValuePath;
}

/** Where a change is in what is sent. */
interface Stage {
  readonly revisions: Revisions;
  readonly shapes: Shapes;
  readonly ways: Ways;
}

function translated({ revisions, shapes, ways }: Stage, change: Change, example: unknown): unknown {
  const { rule, facts } = change;
  const { old, new: recent } = revisions;
  const before = shapeAt(old, shapes.before, ways.old);
  const now = shapeAt(recent, shapes.now, ways.new);
  const right = (value: unknown): unknown => (fits(old, shapes.before, value) ? value : example);
  if (before === undefined) {
    // Something new: it is missing in what was right, and where it is tied to a condition, that is met.
    return right(withCondition(revisions, shapes, ways.new, example));
  }
  if (rule.includes("-group-")) {
    return right(withGroup(revisions, change, { before, now: now ?? before }, ways.old, example));
  }
  if (/-to-required|condition-/.test(rule)) {
    return right(withCondition(revisions, shapes, ways.new, withoutValueAt(example, ways.old)));
  }
  if (rule === "request-spelling-removed") return withSpelling(old, before, facts.from, ways.old, example);
  const present = valueAt(example, ways.old) ?? sampleOf(old, before);
  return right(
    withValueAt(example, ways.old, refusedValue(revisions, change, { before, now: now ?? before }, present)),
  );
}

/** From the top of what is sent to what the change is in, before and after. */
function waysTo(revisions: Revisions, change: Change, shapes: Shapes): Ways | undefined {
  const steps = stepsOf(change);
  if (steps === undefined) return undefined;
  if (steps.type === undefined) return { old: pastWay(revisions, shapes, steps.rest), new: steps.rest };
  const past = pairTypes(revisions.old, revisions.new).get(steps.type);
  const now = revisions.new.types.find(({ name }) => name === steps.type);
  if (past === undefined || now === undefined) return undefined;
  const old = wayToType(revisions.old, shapes.before, past.name);
  const recent = wayToType(revisions.new, shapes.now, now.name);
  if (old === undefined || recent === undefined) return undefined;
  const inside = pastWay(revisions, { before: past.shape, now: now.shape }, steps.rest);
  return { old: [...old, ...inside], new: [...recent, ...steps.rest] };
}

/** A way by the names that its fields had. */
function pastWay({ old, new: recent }: Revisions, { before, now }: Shapes, way: ValuePath): ValuePath {
  const [first, ...rest] = way;
  if (first === undefined) return [];
  const [was, is] = [resolve(old, before), resolve(recent, now)];
  if (was.kind === "array" && is.kind === "array" && first === 0) {
    return [0, ...pastWay({ old, new: recent }, { before: was.items, now: is.items }, rest)];
  }
  if (was.kind !== "object" || is.kind !== "object") return way;
  const pair = pairFields(was, is).pairs.find((each) => each.new.name === first);
  if (pair === undefined) return way;
  return [
    pair.old.name,
    ...pastWay({ old, new: recent }, { before: pair.old.shape, now: pair.new.shape }, rest),
  ];
}

/** The path of a change: the named type it begins at, if any, and the steps from there. */
function stepsOf({ path, rule }: Change): { readonly type?: string; readonly rest: ValuePath } | undefined {
  const parts = path.split("/");
  // The last part of the path of a value is the value.
  const steps = rule.includes("enum-value") ? parts.slice(0, -1) : parts;
  const [first, second = ""] = steps;
  if (first === "types") return { type: second, rest: keysIn(steps.slice(2)) };
  const at = steps.findIndex((part) => /^(?:payload(?:\[[^\]]*\])?|result)$/.test(part));
  return at === -1 ? undefined : { rest: keysIn(steps.slice(at + 1)) };
}

/** `legalReps[]` is the field, then its first item. */
function keysIn(steps: readonly string[]): ValuePath {
  return steps.flatMap((step): ValuePath => {
    const name = step.replaceAll("[]", "");
    return [...(name === "" ? [] : [name]), ...(step.match(/\[\]/g) ?? []).map(() => 0 as const)];
  });
}

/** Meets the condition under which the field at the end of a way has to be there, in a way that is new. */
function withCondition(
  { old, new: recent }: Revisions,
  shapes: Shapes,
  way: ValuePath,
  value: unknown,
): unknown {
  const holder = way.slice(0, -1);
  const [before, now] = [fieldAt(old, shapes.before, way), fieldAt(recent, shapes.now, way)];
  const sibling = conditionOf(now) ?? conditionOf(before);
  const object = shapeAt(old, shapes.before, holder);
  if (sibling === undefined || object === undefined || resolve(old, object).kind !== "object") return value;
  const at = [...holder, sibling.field];
  const shape = shapeAt(old, shapes.before, at);
  if (shape === undefined) return value;
  const candidates = [valueAt(value, at), ...valuesOf(old, shape), ...sibling.values];
  const distinguishing = candidates.find(
    (held) => held !== undefined && isNeeded(now?.presence, held) && !isNeeded(before?.presence, held),
  );
  return distinguishing === undefined ? value : withValueAt(value, at, distinguishing);
}

/** Whether a field has to be there, its sibling being so. */
function isNeeded(presence: Presence | undefined, held: unknown): boolean {
  if (presence?.kind === "required-when") return presence.values.some((each) => each === held);
  return presence?.kind === "required";
}

function conditionOf(
  field: FieldModel | undefined,
): Extract<Presence, { kind: "required-when" }> | undefined {
  return field?.presence.kind === "required-when" ? field.presence : undefined;
}

function fieldAt(model: ServiceModel, top: Shape, way: ValuePath): FieldModel | undefined {
  const object = shapeAt(model, top, way.slice(0, -1));
  const shape = object === undefined ? undefined : resolve(model, object);
  return shape?.kind === "object" ? shape.fields.find(({ name }) => name === way.at(-1)) : undefined;
}

function valuesOf(model: ServiceModel, shape: Shape): readonly unknown[] {
  const resolved = resolve(model, shape);
  if (resolved.kind === "enum") return resolved.values.map(({ value }) => value);
  return resolved.kind === "boolean" ? [true, false] : [];
}

/** As many of a group's fields as were right and no longer are. */
function withGroup(
  { old, new: recent }: Revisions,
  change: Change,
  shapes: Shapes,
  way: ValuePath,
  example: unknown,
): unknown {
  const [before, now] = [resolve(old, shapes.before), resolve(recent, shapes.now)];
  if (before.kind !== "object" || now.kind !== "object") return example;
  const holder = valueAt(example, way);
  const members = membersOf(before, now).filter((name) => before.fields.some((field) => field.name === name));
  const rest = isRecord(holder) ? holder : {};
  const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !members.includes(key)));
  const kept = members.filter((name) => isKept(change, name));
  const held = kept.map((name): readonly [string, unknown] => {
    const field = before.fields.find((each) => each.name === name);
    return [name, rest[name] ?? (field === undefined ? "text" : sampleOf(old, field.shape, field.example))];
  });
  return withValueAt(example, way, { ...others, ...Object.fromEntries(held) });
}

/** The fields that are in some group. */
function membersOf(...objects: readonly ObjectTypeShape[]): readonly string[] {
  return [...new Set(objects.flatMap((object) => [...object.atLeastOneOf, ...object.exactlyOneOf].flat()))];
}

function isKept({ rule, facts }: Change, name: string): boolean {
  if (rule.endsWith("group-tightened")) return true;
  const isMember = facts.to === `\`${name}\``;
  if (rule.endsWith("group-member-joined")) return isMember || facts.name.startsWith(`\`${name}\``);
  return /group-member-(?:removed|left)$/.test(rule) && isMember;
}

function withSpelling(
  model: ServiceModel,
  shape: Shape,
  spelling: string,
  way: ValuePath,
  example: unknown,
): unknown {
  const value = valueAt(example, way) ?? sampleOf(model, shape);
  return withValueAt(withoutValueAt(example, way), [...way.slice(0, -1), spelling], value);
}
