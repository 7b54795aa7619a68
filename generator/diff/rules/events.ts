import { waivers, type Rule } from "../model/rule.ts";

const none = "# there is no Loan.OVERDUE\n";
const event = (...lines: readonly string[]): string =>
  `events:\n  Loan.OVERDUE:\n    doc: A loan ran out.\n    section: "2"\n    payload: LoanEvent\n${lines.map((line) => `    ${line}\n`).join("")}`;
const caused = event("otherCauses: [The night passes.]");
const late = event("renamedFrom: Loan.OVERDUE", "otherCauses: [A day passes.]").replace(
  "Loan.OVERDUE:",
  "Loan.LATE:",
);

/** Events that come, go and change their names and causes. */
export const eventRules = {
  "event-added": {
    area: "events",
    summary: ({ name }) => `the event \`${name}\` was added`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers may ask for \`${name}\`.` },
      implementers: {
        severity: "info",
        consequence: ({ name }) => `Handlers may announce \`${name}\` where a method says so.`,
      },
      receivers: {
        severity: "warning",
        consequence: ({ name }) => `Receivers who tell events apart do not know \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "Receivers who asked for everything are sent a kind of event that they have no branch for.",
    todo: "Tell receivers to answer unknown events with success and ignore them.",
    before: none,
    after: caused,
    inverse: ["event-removed"],
    mirror: waivers.answerOnly,
  },
  "member-source-changed": {
    area: "events",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` of notifications of ${of} repeats ${to} now, not ${from}`,
    effects: {
      receivers: {
        severity: "breaking",
        consequence: ({ name, to }) => `Receivers who read \`${name}\` get what ${to} holds.`,
      },
    },
    bump: "major",
    why: "The member keeps its name and says another thing.",
    todo: "Give the member another name, and keep the old one for a revision at least.",
    before: event("members: [{ name: loan, doc: Which loan., repeats: id }]"),
    after: event("members: [{ name: loan, doc: Which loan., repeats: cause }]"),
    inverse: ["member-source-changed"],
    mirror: waivers.answerOnly,
  },
  "notification-payload-renamed": {
    area: "events",
    summary: ({ name, from, to }) =>
      `notifications of \`${name}\` have their payload in \`${to}\` now, not in \`${from}\``,
    effects: {
      receivers: {
        severity: "breaking",
        consequence: ({ from }) => `Receivers who read \`${from}\` find nothing there.`,
      },
    },
    bump: "major",
    why: "Receivers know the payload by the name of its member.",
    todo: "Keep the name, or announce another event with the new one.",
    before: caused,
    after: event("payloadName: data", "otherCauses: [The night passes.]"),
    inverse: ["notification-payload-renamed"],
    mirror: waivers.answerOnly,
  },
  "member-condition-changed": {
    area: "events",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` is there in notifications of ${of} where ${to} now, not where ${from}`,
    effects: {
      receivers: {
        severity: "breaking",
        consequence: ({ name, from }) => `Receivers who expect \`${name}\` where ${from} may not get it.`,
      },
    },
    bump: "major",
    why: "Whether the member is there tells receivers what happened.",
    todo: "Keep the values with which it is there.",
    before: event(
      "members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [DUE] } }]",
    ),
    after: event(
      "members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [LATE] } }]",
    ),
    inverse: ["member-condition-changed", "member-condition-widened"],
    mirror: waivers.answerOnly,
  },
  "member-condition-widened": {
    area: "events",
    summary: ({ name, of, from, to }) =>
      `\`${name}\` is there in notifications of ${of} where ${to} now, not only where ${from}`,
    effects: {
      receivers: {
        severity: "info",
        consequence: ({ name, to }) => `Receivers may rely on \`${name}\` where ${to}.`,
      },
    },
    bump: "patch",
    why: "It is there wherever it was there before.",
    todo: "Nothing.",
    before: event(
      "members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [DUE] } }]",
    ),
    after: event(
      "members: [{ name: loan, doc: Which loan., repeats: id, when: { field: cause, is: [LATE, DUE] } }]",
    ),
    inverse: ["member-condition-changed"],
    mirror: waivers.answerOnly,
  },
  "event-removed": {
    area: "events",
    summary: ({ name }) => `the event \`${name}\` was removed`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Subscriptions to \`${name}\` are for nothing.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `Handlers that announce \`${name}\` no longer compile.`,
      },
      receivers: {
        severity: "breaking",
        consequence: ({ name }) => `Receivers wait for \`${name}\` in vain.`,
      },
    },
    bump: "major",
    why: "Receivers do not learn that the event they wait for does not come.",
    todo: "Mark the event `deprecated`, offer one that takes its place, and announce both for a revision at least.",
    before: caused,
    after: none,
    inverse: ["event-added"],
    mirror: waivers.answerOnly,
  },
  "event-renamed": {
    area: "events",
    summary: ({ from, to }) => `the event \`${from}\` is called \`${to}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from, to }) => `Subscriptions to \`${from}\` have to ask for \`${to}\`.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ from, to }) =>
          `Handlers that announce \`${from}\` no longer compile: it is \`${to}\`.`,
      },
      receivers: {
        severity: "breaking",
        consequence: ({ from, to }) => `Receivers who look for \`${from}\` are sent \`${to}\`.`,
      },
    },
    bump: "major",
    why: "Receivers know an event by its name.",
    todo: "Announce both for a revision at least.",
    before: caused,
    after: caused.replace("Loan.OVERDUE:", "Loan.LATE:\n    renamedFrom: Loan.OVERDUE"),
    inverse: ["event-renamed", "event-added", "event-removed"],
    mirror: waivers.answerOnly,
  },
  "event-name-reused": {
    area: "events",
    summary: ({ name }) => `\`${name}\` is another event than the one that was called so`,
    effects: {
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `Handlers that announce \`${name}\` say something else.`,
      },
      receivers: {
        severity: "breaking",
        consequence: ({ name }) => `Receivers take \`${name}\` for what it was.`,
      },
    },
    bump: "major",
    why: "A name that meant one thing and now means another is worse than a missing one: nothing fails, and everything is wrong.",
    todo: "Give the new event a name that nothing had before.",
    before: late,
    after: late.replace("    renamedFrom: Loan.OVERDUE\n", "") + caused.replace("events:\n", ""),
    inverse: ["event-removed"],
    mirror: waivers.answerOnly,
  },
  "event-cause-added": {
    area: "events",
    summary: ({ name, to }) => `the event \`${name}\` has another cause: ${to}`,
    effects: {
      receivers: {
        severity: "warning",
        consequence: ({ name }) => `Receivers are sent \`${name}\` in more cases.`,
      },
    },
    bump: "minor",
    why: "Receivers took the event for a sign of its other causes.",
    todo: "Tell receivers what causes it now.",
    before: caused,
    after: event("otherCauses: [The night passes., The operator says so.]"),
    inverse: ["event-cause-removed"],
    mirror: waivers.answerOnly,
  },
  "event-cause-removed": {
    area: "events",
    summary: ({ name, from }) => `the event \`${name}\` has lost a cause: ${from}`,
    effects: {
      receivers: {
        severity: "warning",
        consequence: ({ name }) => `Receivers are sent \`${name}\` in fewer cases.`,
      },
    },
    bump: "minor",
    why: "Receivers may wait for an event that does not come.",
    todo: "Tell receivers what causes it now.",
    before: event("otherCauses: [The night passes., The operator says so.]"),
    after: caused,
    inverse: ["event-cause-added"],
    mirror: waivers.answerOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
