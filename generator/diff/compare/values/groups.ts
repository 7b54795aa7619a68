import {
  resolve,
  type FieldModel,
  type ObjectTypeShape,
  type PathGroup,
  type ServiceModel,
  type Shape,
} from "../../../model/index.ts";
import type { FamilyName } from "../../rules/index.ts";
import { listed } from "../../../language/diagnostics/entry.ts";
import type { Pair, Pairs } from "../pair-up.ts";
import { placesAt, type Step, type ValueWalk } from "./value-walk.ts";
import { code } from "../phrases.ts";

type GroupKey = "atLeastOneOf" | "exactlyOneOf";

interface Group {
  readonly key: GroupKey;
  /** By the names of the new revision, where the fields have one. */
  readonly members: readonly string[];
}

/** Compares the groups of which a field has to be there. Their order, and that of their members, means nothing. */
export function compareGroups(
  walk: ValueWalk,
  step: Step,
  of: string,
  objects: Pair<ObjectTypeShape>,
  fields: Pairs<FieldModel>,
): void {
  const nowCalled = new Map(fields.pairs.map((pair) => [pair.old.name, pair.new.name]));
  const oldItems = groupsOf(objects.old, (name) => nowCalled.get(name) ?? name);
  const newItems = groupsOf(objects.new, (name) => name);
  const formerNames = new Map([...nowCalled].map(([old, recent]) => [recent, old]));
  const formerPath = (name: string): readonly string[] => {
    const [first = "", ...rest] = name.split(".");
    return [formerNames.get(first) ?? first, ...rest];
  };
  const find = (family: FamilyName, group: Group, from: string, to: string): void => {
    walk.find(family, step, {
      facts: { name: listed(group.members), of, from, to },
      ...placesAt(step, group.key),
    });
  };
  const { pairs, removed, added } = pairGroups(oldItems, newItems);
  for (const { old, new: recent } of pairs) {
    if (old.key !== recent.key) {
      const family = recent.key === "exactlyOneOf" ? "group-tightened" : "group-loosened";
      find(family, recent, words(old.key), words(recent.key));
    }
    const isExclusive = old.key === "exactlyOneOf" && recent.key === "exactlyOneOf";
    for (const name of recent.members.filter((member) => !old.members.includes(member))) {
      const wasBeside = isExclusive && holds(walk.old, objects.old, formerPath(name));
      find(wasBeside ? "group-member-joined" : "group-member-added", old, words(recent.key), code(name));
    }
    for (const name of old.members.filter((member) => !recent.members.includes(member))) {
      const isBeside = isExclusive && holds(walk.new, objects.new, name.split("."));
      find(isBeside ? "group-member-left" : "group-member-removed", recent, words(old.key), code(name));
    }
  }
  for (const group of removed) find("group-removed", group, words(group.key), "");
  for (const group of added) {
    const family = wasMet(group, fields) ? "group-added-met" : "group-added";
    find(family, group, "", words(group.key));
  }
}

/** Whether an object, or one within it, has a field. */
function holds(model: ServiceModel, shape: Shape, [first, ...rest]: readonly string[]): boolean {
  const object = resolve(model, shape);
  const field = object.kind === "object" ? object.fields.find(({ name }) => name === first) : undefined;
  return field !== undefined && (rest.length === 0 || holds(model, field.shape, rest));
}

function groupsOf(object: ObjectTypeShape, nameOf: (name: string) => string): readonly Group[] {
  const named = (key: GroupKey): readonly Group[] =>
    object[key].map((group) => ({ key, members: group.map(nameOf).toSorted() }));
  const nested = (key: GroupKey, groups: readonly PathGroup[] = []): readonly Group[] =>
    groups.map((group) => ({
      key,
      members: group.map(([first = "", ...rest]) => [nameOf(first), ...rest].join(".")).toSorted(),
    }));
  const all = [
    ...named("atLeastOneOf"),
    ...nested("atLeastOneOf", object.atLeastOnePath),
    ...named("exactlyOneOf"),
    ...nested("exactlyOneOf", object.exactlyOnePath),
  ];
  return all.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

function idOf({ key, members }: Group): string {
  return [...members, key].join("\n");
}

/** The same fields, then those that share the most. */
function pairGroups(oldItems: readonly Group[], newItems: readonly Group[]) {
  const pairs: Pair<Group>[] = [];
  const [left, open] = [new Set(oldItems), new Set(newItems)];
  const candidates = oldItems.flatMap((old) =>
    newItems.map((recent) => ({ old, new: recent, likeness: likeness(old, recent) })),
  );
  for (const { old, new: recent, likeness: shared } of candidates.toSorted(
    (a, b) => b.likeness - a.likeness,
  )) {
    if (shared === 0 || !left.has(old) || !open.has(recent)) continue;
    pairs.push({ old, new: recent });
    left.delete(old);
    open.delete(recent);
  }
  return { pairs, removed: [...left], added: [...open] };
}

function likeness(old: Group, recent: Group): number {
  const shared = old.members.filter((member) => recent.members.includes(member)).length;
  const all = new Set([...old.members, ...recent.members]).size;
  return shared / all + (shared > 0 && old.key === recent.key ? 0.001 : 0);
}

/** Whether whatever was right before has the group: one of the fields was required, and the others were not there. */
function wasMet({ key, members }: Group, fields: Pairs<FieldModel>): boolean {
  const before = new Map(fields.pairs.map((pair) => [pair.new.name, pair.old]));
  const required = members.filter((member) => before.get(member)?.presence.kind === "required");
  if (key === "atLeastOneOf") return required.length > 0;
  return required.length === 1 && members.every((member) => required.includes(member) || !before.has(member));
}

function words(key: GroupKey): string {
  return key === "atLeastOneOf" ? "at least one" : "exactly one";
}
