import type { EnumShape, EnumValue } from "../../../model/index.ts";
import { compareSince, compareSunset } from "../definitions.ts";
import { pairUp, type Pairs } from "../pair-up.ts";
import { placesAt, type Resolved, type Step, type ValueWalk } from "./value-walk.ts";

/** A value as it is compared; a constant is one without a place of its own. */
export type ComparedValue = Pick<EnumValue, "value"> & Partial<EnumValue>;

/** The values of an enum, or the one value of a constant string. */
export function constantAsEnum(shape: Resolved): readonly ComparedValue[] | undefined {
  if (shape.kind === "enum") return shape.values;
  return shape.kind === "string" && shape.const !== undefined ? [{ value: shape.const }] : undefined;
}

/**
 * The values of two revisions, old beside new. One whose letters alone have changed is the same one: a reader that looked for
 * it finds another text, although nothing says `renamedFrom`.
 */
export function pairValues<T extends Pick<EnumValue, "value"> & { readonly renamedFrom?: string }>(
  oldItems: readonly T[],
  newItems: readonly T[],
): Pairs<T> {
  return pairUp(oldItems, newItems, {
    nameOf: ({ value }) => String(value),
    pastNameOf: ({ renamedFrom }) => renamedFrom,
    alike: [({ value }) => [lettersOf(String(value))]],
  });
}

function lettersOf(value: string): string {
  return value.toLowerCase().replaceAll(/[\s_.-]/g, "");
}

/** Whether answers and events may hold values that are not listed. */
export function compareOpenness(walk: ValueWalk, step: Step, old: EnumShape, recent: EnumShape): void {
  if (old.open === recent.open || step.direction === "request") return;
  const facts = { name: step.name, of: step.of };
  walk.find(recent.open === true ? "enum-opened" : "enum-closed", step, { facts, ...placesAt(step, "open") });
}

export function compareEnums(
  walk: ValueWalk,
  step: Step,
  oldItems: readonly ComparedValue[],
  newItems: readonly ComparedValue[],
  open?: true,
): void {
  const of = step.of === "this interface" ? `\`${step.name}\`` : `\`${step.name}\` of ${step.of}`;
  const { pairs, removed, added } = pairValues(oldItems, newItems);
  const find = (
    family:
      | "enum-value-added"
      | "open-enum-value-added"
      | "enum-value-removed"
      | "enum-value-renamed"
      | "enum-value-reused",
    old: ComparedValue | undefined,
    recent: ComparedValue | undefined,
  ): void => {
    const [from, to] = [String(old?.value ?? ""), String(recent?.value ?? "")];
    const name = to === "" ? from : to;
    const path = `${step.path}/${name}`;
    const { comparison } = walk;
    const title = `\`${name}\` of ${of}`;
    const removed = recent === undefined && old !== undefined ? old : undefined;
    if (old === undefined && recent !== undefined) compareSince(comparison, path, title, recent);
    walk.find(family, step, {
      path,
      notes: removed === undefined ? [] : compareSunset(comparison, path, title, removed, step.places.new),
      facts: { name, of, from, to },
      old: old && (old.span ?? step.places.old),
      new: recent && (recent.span ?? step.places.new),
      near: step.places.new,
    });
  };
  for (const old of removed) find("enum-value-removed", old, undefined);
  const past = new Map(pairs.map(({ old }) => [old.renamedFrom, old]));
  for (const recent of added) {
    const isAnnounced = open === true && step.direction !== "request";
    find(isAnnounced ? "open-enum-value-added" : "enum-value-added", undefined, recent);
    const successor = past.get(String(recent.value));
    if (successor !== undefined) find("enum-value-reused", successor, recent);
  }
  for (const { old, new: recent } of pairs) {
    if (old.value !== recent.value) find("enum-value-renamed", old, recent);
  }
}
