import type { FieldModel } from "../../../model/index.ts";
import type { Span } from "../../../language/source/index.ts";
import { locate } from "../comparison.ts";
import type { Direction } from "../../rules/rule.ts";
import type { Pairs } from "../pair-up.ts";
import type { Step, ValueWalk } from "./value-walk.ts";
import { codeList } from "../phrases.ts";

/** Compares the other names under which a field is understood or sent. */
export function compareAliases(walk: ValueWalk, step: Step, old: FieldModel, recent: FieldModel): void {
  if (step.direction === "request") compareSpellings(walk, step, old, recent);
  else compareDoubling(walk, step, step.direction, old, recent);
}

function compareSpellings(walk: ValueWalk, step: Step, old: FieldModel, recent: FieldModel): void {
  const before = understood(old);
  const now = understood(recent);
  for (const spelling of old.spellings) {
    if (now.has(spelling.toLowerCase())) continue;
    walk.findSingle("request-spelling-removed", step, {
      facts: { name: step.name, from: spelling },
      old: locate(old.span, "spellings", spelling),
    });
  }
  for (const spelling of recent.spellings) {
    if (before.has(spelling.toLowerCase())) continue;
    walk.findSingle("request-spelling-added", step, {
      facts: { name: step.name, to: spelling },
      new: locate(recent.span, "spellings", spelling),
    });
  }
}

function compareDoubling(
  walk: ValueWalk,
  step: Step,
  direction: "response" | "event",
  old: FieldModel,
  recent: FieldModel,
): void {
  const [from, to] = [old.alsoSentAs, recent.alsoSentAs];
  if (from === to) return;
  const places = { old: locate(old.span, "alsoSentAs"), new: locate(recent.span, "alsoSentAs") };
  if (from !== undefined && from !== recent.name) {
    walk.findSingle(`${direction}-also-sent-as-removed`, step, {
      facts: { name: step.name, from },
      ...places,
    });
  }
  if (to !== undefined && to !== old.name) {
    walk.findSingle(`${direction}-also-sent-as-added`, step, { facts: { name: step.name, to }, ...places });
  }
}

function understood(field: FieldModel): ReadonlySet<string> {
  return new Set([field.name, ...field.spellings].map((name) => name.toLowerCase()));
}

/** A name that meant one field and means another, which is not that field. */
export interface LostMeaning {
  readonly name: string;
  readonly span: Span;
  readonly previous: FieldModel;
}

/** The names of an object's fields that mean other fields than before. */
export function meaningsLost(direction: Direction, fields: Pairs<FieldModel>): readonly LostMeaning[] {
  const before = new Map<string, FieldModel>();
  for (const field of [...fields.removed, ...fields.pairs.map((pair) => pair.old)]) {
    for (const name of namesOf(direction, field)) before.set(name, field);
  }
  for (const { old } of fields.pairs) {
    const past = old.renamedFrom === undefined ? undefined : keyOf(direction, old.renamedFrom);
    if (past !== undefined && !before.has(past)) before.set(past, old);
  }
  const successor = new Map(fields.pairs.map((pair) => [pair.new, pair.old]));
  const found: LostMeaning[] = [];
  for (const field of [...fields.added, ...fields.pairs.map((pair) => pair.new)]) {
    for (const key of namesOf(direction, field)) {
      const previous = before.get(key);
      if (previous === undefined || previous === successor.get(field)) continue;
      const name = [field.name, field.alsoSentAs ?? "", ...field.spellings].find(
        (each) => keyOf(direction, each) === key,
      );
      found.push({ name: name ?? key, span: field.span, previous });
    }
  }
  return found;
}

function namesOf(direction: Direction, field: FieldModel): readonly string[] {
  const second = direction === "request" ? field.spellings : [field.alsoSentAs ?? field.name];
  return [...new Set([field.name, ...second].map((name) => keyOf(direction, name)))];
}

/** Requests match names ignoring case (D-11). */
function keyOf(direction: Direction, name: string): string {
  return direction === "request" ? name.toLowerCase() : name;
}

/** The second names that were restated without effect. */
export function restatedNames(
  old: FieldModel,
  recent: FieldModel,
  travels: ReadonlySet<Direction>,
): readonly {
  readonly rule: "spelling-restated" | "also-sent-as-restated";
  readonly from: string;
  readonly to: string;
}[] {
  const [before, now] = [understood(old), understood(recent)];
  const sameNames = before.size === now.size && [...before].every((name) => now.has(name));
  const spellingsDiffer = old.spellings.toSorted().join("\n") !== recent.spellings.toSorted().join("\n");
  const isSilent = !travels.has("request") || sameNames;
  const doublesInVain = !travels.has("response") && !travels.has("event");
  return [
    ...(spellingsDiffer && isSilent
      ? [
          {
            rule: "spelling-restated" as const,
            from: codeList(old.spellings),
            to: codeList(recent.spellings),
          },
        ]
      : []),
    ...(old.alsoSentAs !== recent.alsoSentAs && doublesInVain
      ? [
          {
            rule: "also-sent-as-restated" as const,
            from: codeList(old.alsoSentAs === undefined ? [] : [old.alsoSentAs]),
            to: codeList(recent.alsoSentAs === undefined ? [] : [recent.alsoSentAs]),
          },
        ]
      : []),
  ];
}
