import type { EventModel, MemberCondition } from "../../model/index.ts";
import { locate, type Comparison } from "./comparison.ts";
import { compareDefinitions, compareNamed, differs } from "./definitions.ts";
import { nameOf, type Pair } from "./pair-up.ts";
import { code, quoted } from "./phrases.ts";
import { compareTravelling } from "./values/texts.ts";
import type { Traversal } from "./values/value-walk.ts";

/** Events that come, go and change their names, and what those that stay carry. */
export function compareEvents(comparison: Comparison, traversal: Traversal): void {
  const pairs = compareDefinitions(comparison, {
    old: comparison.old.events,
    new: comparison.new.events,
    kind: "event",
    nameOf,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
    path: ({ name }) => `events/${name}`,
    title: ({ name }) => code(name),
    reaches: ({ name }) => [name],
    reused: "event-name-reused",
  });
  for (const pair of pairs) compareEvent(comparison, traversal, pair);
}

function compareEvent(comparison: Comparison, traversal: Traversal, pair: Pair<EventModel>): void {
  const { old, new: recent } = pair;
  const name = recent.name;
  const thing = { ...pair, path: `events/${name}`, name, reaches: [name] };
  compareNamed(comparison, { ...thing, title: code(name), formerName: old.name, renamed: "event-renamed" });
  const report = comparison.at(thing);
  for (const cause of recent.otherCauses.filter((each) => !old.otherCauses.includes(each)))
    report("event-cause-added", { to: quoted(cause) }, "otherCauses", cause);
  for (const cause of old.otherCauses.filter((each) => !recent.otherCauses.includes(each)))
    report("event-cause-removed", { from: quoted(cause) }, "otherCauses", cause);
  const path = `${thing.path}/payload`;
  const places = { old: locate(old.span, "payload"), new: locate(recent.span, "payload") };
  const sent = { label: name, path, of: `the payload of \`${name}\``, direction: "event", places } as const;
  compareTravelling(comparison, traversal, sent, old.payload, recent.payload);
  const names = [old.payloadName ?? "payload", recent.payloadName ?? "payload"] as const;
  differs(comparison.at({ ...thing, path }), "notification-payload-renamed", ...names, "payload");
  compareMembers(comparison, traversal, pair);
}

const noMembers: NonNullable<EventModel["members"]> = {
  shape: { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] },
  repeats: {},
};

/** Compares the members of a notification beside those that every one has. */
function compareMembers(comparison: Comparison, traversal: Traversal, pair: Pair<EventModel>): void {
  const { old, new: recent } = pair;
  const [before, now] = [old.members ?? noMembers, recent.members ?? noMembers];
  const path = `events/${recent.name}/members`;
  const places = { old: locate(old.span, "members"), new: locate(recent.span, "members") };
  const step = { path, direction: "event", name: `the notification of \`${recent.name}\``, places } as const;
  traversal.start(recent.name, step, before.shape, now.shape);
  const reporter = (name: string) =>
    comparison.at({ ...pair, path: `${path}/${name}`, name, of: code(recent.name), reaches: [recent.name] });
  for (const [member, to] of Object.entries(now.when ?? {})) {
    const from = before.when?.[member];
    if (from === undefined || (isWithin(from, to) && isWithin(to, from))) continue;
    const rule = isWithin(from, to) ? "member-condition-widened" : "member-condition-changed";
    reporter(member)(rule, { from: conditionText(from), to: conditionText(to) }, "members");
  }
  const sources = new Map(Object.entries(before.repeats));
  for (const [member, to] of Object.entries(now.repeats))
    differs(reporter(member), "member-source-changed", code(sources.get(member) ?? to), code(to), "members");
}

/** Whether one condition holds wherever another does. */
function isWithin(narrow: MemberCondition, wide: MemberCondition): boolean {
  return narrow.field === wide.field && narrow.values.every((value) => wide.values.includes(value));
}

function conditionText({ field, values }: MemberCondition): string {
  return `${code(field)} is ${values.map((value) => code(String(value))).join(" or ")}`;
}
