import { closest } from "../../../conformance/base/closest.ts";
import { resolveShape } from "../references/reach.ts";
import type { EventMemberSpec, EventSpec, Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** The members of every notification (D-41). */
const ofEvery = [
  "source",
  "eventId",
  "eventName",
  "groupId",
  "subscriptionId",
  "timestamp",
  "sequence",
  "payload",
  "signature",
];

/** Members of notifications have names of their own, and it is said what they hold. */
export function checkEventMembers(context: RuleContext): void {
  for (const event of context.spec.events) {
    const names = new Set(ofEvery);
    const { payloadName } = event;
    for (const { value, span } of [payloadName ?? [], event.members.map(({ name }) => name)].flat()) {
      if (names.has(value) && !isConstantSource(event, span))
        context.report("event-member-taken", span, { name: value });
      names.add(value);
    }
    for (const member of event.members) {
      checkValue(member, event, context);
    }
  }
}

/** Whether a member replaces the name of the event source by a constant, in every notification of its event. */
function isConstantSource({ members }: EventSpec, span: Name["span"]): boolean {
  const member = members.find(({ name }) => name.span === span);
  return (
    member?.name.value === "source" && typeof member.constant?.value === "string" && member.when === undefined
  );
}

function checkValue(
  { name, repeats, constant, when }: EventMemberSpec,
  { payload }: EventSpec,
  { scope, report }: RuleContext,
): void {
  if ((repeats === undefined) === (constant === undefined)) {
    report("event-member-value", name.span, { name: name.value });
    return;
  }
  const resolved = resolveShape(payload, scope);
  if (resolved?.kind !== "object") return;
  const names = resolved.fields.map((field) => field.name.value);
  for (const field of [repeats, when?.field]) {
    if (field === undefined || names.includes(field.value)) continue;
    report("event-member-field", field.span, { name: field.value, suggestion: closest(field.value, names) });
  }
}
