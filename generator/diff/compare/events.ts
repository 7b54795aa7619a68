import type { EventModel, MemberCondition } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented, comparePastName } from "./documented.ts";
import { compareGeneratedNames } from "./generated-names.ts";
import { compareSince, compareSunset } from "./deprecation.ts";
import { pairUp } from "./pair-up.ts";
import { compareTextsWithin, sameType } from "./values/texts.ts";
import type { Traversal } from "./values/value-walk.ts";
import { code, quoted, typeText } from "./phrases.ts";

/** Events that come, go and change their names, and what those that stay carry. */
export function compareEvents(comparison: Comparison, traversal: Traversal): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.events, recent.events, {
    nameOf: ({ name }) => name,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
  });
  for (const event of removed) {
    const path = `events/${event.name}`;
    const notes = compareSunset(comparison, path, code(event.name), event, recent.span);
    const where = { notes, old: event.span, near: recent.span, reaches: [event.name] };
    report("event-removed", { path, facts: { name: event.name }, ...where });
  }
  const past = new Set(old.events.map(({ renamedFrom }) => renamedFrom));
  for (const event of added) {
    const path = `events/${event.name}`;
    const where = { path, facts: { name: event.name }, new: event.span, reaches: [event.name] };
    report("event-added", where);
    if (past.has(event.name)) report("event-name-reused", where);
    compareSince(comparison, path, code(event.name), event);
  }
  for (const pair of pairs) compareEvent(comparison, traversal, pair.old, pair.new);
}

function compareEvent(
  comparison: Comparison,
  traversal: Traversal,
  old: EventModel,
  recent: EventModel,
): void {
  const { report } = comparison;
  const path = `events/${recent.name}`;
  const name = recent.name;
  const isRenamed = old.name !== name;
  const places = { old: old.span, new: recent.span, reaches: [name] };
  if (isRenamed) report("event-renamed", { path, facts: { name, from: old.name, to: name }, ...places });
  else compareGeneratedNames(comparison, path, name, old, recent);
  compareDocumented(comparison, path, code(name), old, recent);
  comparePastName(comparison, path, code(name), old, recent, isRenamed);
  for (const cause of recent.otherCauses.filter((each) => !old.otherCauses.includes(each))) {
    report("event-cause-added", { path, facts: { name, to: quoted(cause) }, ...at(old, recent, cause) });
  }
  for (const cause of old.otherCauses.filter((each) => !recent.otherCauses.includes(each))) {
    report("event-cause-removed", { path, facts: { name, from: quoted(cause) }, ...at(old, recent, cause) });
  }
  comparePayload(comparison, traversal, old, recent);
  compareMembers(comparison, traversal, old, recent);
}

const noMembers = {
  shape: { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] },
  repeats: {},
} as const satisfies EventModel["members"];

/** Compares the members of a notification beside those that every one has. */
function compareMembers(
  { report }: Comparison,
  traversal: Traversal,
  { members: before = noMembers, ...old }: EventModel,
  { members: now = noMembers, ...recent }: EventModel,
): void {
  const path = `events/${recent.name}/members`;
  const places = { old: locate(old.span, "members"), new: locate(recent.span, "members") };
  const name = `the notification of \`${recent.name}\``;
  const step = {
    path,
    direction: "event",
    name,
    of: "",
    places,
    requiredBefore: true,
    requiredNow: true,
  } as const;
  traversal.start(recent.name, step, before.shape, now.shape);
  for (const [member, to] of Object.entries(now.when ?? {})) {
    const from = before.when?.[member];
    if (from === undefined || (isWithin(from, to) && isWithin(to, from))) continue;
    const facts = { name: member, of: code(recent.name), from: conditionText(from), to: conditionText(to) };
    report(isWithin(from, to) ? "member-condition-widened" : "member-condition-changed", {
      path: `${path}/${member}`,
      facts,
      ...places,
      reaches: [recent.name],
    });
  }
  const sources = new Map(Object.entries(before.repeats));
  for (const [member, to] of Object.entries(now.repeats)) {
    const from = sources.get(member);
    if (from === undefined || from === to) continue;
    const facts = { name: member, of: code(recent.name), from: code(from), to: code(to) };
    report("member-source-changed", { path: `${path}/${member}`, facts, ...places, reaches: [recent.name] });
  }
}

/** Whether one condition holds wherever another does. */
function isWithin(narrow: MemberCondition, wide: MemberCondition): boolean {
  return narrow.field === wide.field && narrow.values.every((value) => wide.values.includes(value));
}

function conditionText({ field, values }: MemberCondition): string {
  return `${code(field)} is ${values.map((value) => code(String(value))).join(" or ")}`;
}

function at(old: EventModel, recent: EventModel, cause: string) {
  const keys = ["otherCauses", cause];
  return { old: locate(old.span, ...keys), new: locate(recent.span, ...keys), reaches: [recent.name] };
}

function comparePayload(
  comparison: Comparison,
  traversal: Traversal,
  { payload: before, ...old }: EventModel,
  { payload: now, ...recent }: EventModel,
): void {
  const path = `events/${recent.name}/payload`;
  const of = `the payload of \`${recent.name}\``;
  const places = { old: locate(old.span, "payload"), new: locate(recent.span, "payload") };
  const step = {
    path,
    direction: "event",
    name: of,
    of: "",
    places,
    requiredBefore: true,
    requiredNow: true,
  } as const;
  traversal.start(recent.name, step, before, now);
  const [from, to] = [old.payloadName ?? "payload", recent.payloadName ?? "payload"];
  if (from !== to) {
    const names = { name: recent.name, from, to };
    comparison.report("notification-payload-renamed", {
      path,
      facts: names,
      ...places,
      reaches: [recent.name],
    });
  }
  if (sameType(comparison, before, now)) {
    compareTextsWithin(comparison, { path, of, travels: new Set(["event"]) }, before, now);
    return;
  }
  const facts = {
    name: "payload",
    of: code(recent.name),
    from: code(typeText(before)),
    to: code(typeText(now)),
  };
  comparison.report("named-type-changed", { path, facts, ...places });
}
