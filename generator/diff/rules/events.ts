import { waivers } from "./rule.ts";
import { ruleTable } from "./table.ts";

const none = "# there is no Loan.OVERDUE\n";
const event = (...lines: readonly string[]): string =>
  `events:\n  Loan.OVERDUE:\n    doc: A loan ran out.\n    section: "2"\n    payload: LoanEvent\n${lines.map((line) => `    ${line}\n`).join("")}`;
const caused = event("otherCauses: [The night passes.]");
const late = event("renamedFrom: Loan.OVERDUE", "otherCauses: [A day passes.]").replace(
  "Loan.OVERDUE:",
  "Loan.LATE:",
);

/** Events that come, go and change their names and causes. */
export const eventRules = ruleTable("events", waivers.answerOnly, {
  "event-added": {
    says: "the event `{name}` was added",
    callers: "info: Callers may ask for `{name}`.",
    implementers: "info: Handlers may announce `{name}` where a method says so.",
    receivers: "warning: Receivers who tell events apart do not know `{name}`.",
    why: "Receivers who asked for everything are sent a kind of event that they have no branch for.",
    todo: "Tell receivers to answer unknown events with success and ignore them.",
    example: [none, caused],
  },
  "member-source-changed": {
    says: "`{name}` of notifications of {of} repeats {to} now, not {from}",
    receivers: "breaking: Receivers who read `{name}` get what {to} holds.",
    why: "The member keeps its name and says another thing.",
    todo: "Give the member another name, and keep the old one for a revision at least.",
    example: [
      event("members: [{ name: loan, doc: Which loan., repeats: id }]"),
      event("members: [{ name: loan, doc: Which loan., repeats: cause }]"),
    ],
  },
  "notification-payload-renamed": {
    says: "notifications of `{name}` have their payload in `{to}` now, not in `{from}`",
    receivers: "breaking: Receivers who read `{from}` find nothing there.",
    why: "Receivers know the payload by the name of its member.",
    todo: "Keep the name, or announce another event with the new one.",
    example: [caused, event("payloadName: data", "otherCauses: [The night passes.]")],
  },
  "member-condition-changed": {
    says: "`{name}` is there in notifications of {of} where {to} now, not where {from}",
    receivers: "breaking: Receivers who expect `{name}` where {from} may not get it.",
    why: "Whether the member is there tells receivers what happened.",
    todo: "Keep the values with which it is there.",
    example: [
      event("members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [DUE] } }]"),
      event("members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [LATE] } }]"),
    ],
    inverse: ["member-condition-changed", "member-condition-widened"],
  },
  "member-condition-widened": {
    says: "`{name}` is there in notifications of {of} where {to} now, not only where {from}",
    receivers: "info: Receivers may rely on `{name}` where {to}.",
    bump: "patch",
    why: "It is there wherever it was there before.",
    example: [
      event("members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [DUE] } }]"),
      event(
        "members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [LATE, DUE] } }]",
      ),
    ],
    inverse: ["member-condition-changed"],
  },
  "event-removed": {
    says: "the event `{name}` was removed",
    callers: "warning: Subscriptions to `{name}` are for nothing.",
    implementers: "breaking: Handlers that announce `{name}` no longer compile.",
    receivers: "breaking: Receivers wait for `{name}` in vain.",
    why: "Receivers do not learn that the event they wait for does not come.",
    todo: "Mark the event `deprecated`, offer one that takes its place, and announce both for a revision at least.",
  },
  "event-renamed": {
    says: "the event `{from}` is called `{to}` now",
    callers: "warning: Subscriptions to `{from}` have to ask for `{to}`.",
    implementers: "breaking: Handlers that announce `{from}` no longer compile: it is `{to}`.",
    receivers: "breaking: Receivers who look for `{from}` are sent `{to}`.",
    why: "Receivers know an event by its name.",
    todo: "Announce both for a revision at least.",
    example: [caused, caused.replace("Loan.OVERDUE:", "Loan.LATE:\n    renamedFrom: Loan.OVERDUE")],
    inverse: ["event-renamed", "event-added", "event-removed"],
  },
  "event-name-reused": {
    says: "`{name}` is another event than the one that was called so",
    implementers: "breaking: Handlers that announce `{name}` say something else.",
    receivers: "breaking: Receivers take `{name}` for what it was.",
    why: "A name that meant one thing and now means another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new event a name that nothing had before.",
    example: [late, late.replace("    renamedFrom: Loan.OVERDUE\n", "") + caused.replace("events:\n", "")],
    inverse: ["event-removed"],
  },
  "event-cause-added": {
    says: "the event `{name}` has another cause: {to}",
    receivers: "warning: Receivers are sent `{name}` in more cases.",
    why: "Receivers took the event for a sign of its other causes.",
    todo: "Tell receivers what causes it now.",
    example: [caused, event("otherCauses: [The night passes., The operator says so.]")],
  },
  "event-cause-removed": {
    says: "the event `{name}` has lost a cause: {from}",
    receivers: "warning: Receivers are sent `{name}` in fewer cases.",
    why: "Receivers may wait for an event that does not come.",
    todo: "Tell receivers what causes it now.",
  },
});
