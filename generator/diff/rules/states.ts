import { waivers, type Rule } from "../model/rule.ts";

const machine = (...transitions: readonly string[]): string =>
  `states:\n  LoanState:\n    doc: Life of a loan.\n    section: "2"\n    type: LoanState\n    transitions:\n${transitions.map((each) => `      - { ${each} }\n`).join("")}`;
const none = "# there is no state machine LoanState\n";
const returning = "from: OPEN, by: BookService.EndLoan, to: ENDED";
const reopening = "from: ENDED, by: BookService.EndLoan, to: OPEN";
const losing = "from: OPEN, to: LOST, condition: the book is not found";

/** Transitions of state machines. `name` is the transition, `of` the machine. */
export const stateRules = {
  "state-machine-added": {
    area: "states",
    summary: ({ name }) => `the states \`${name}\` are described now`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers learn how \`${name}\` moves.` },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Handlers have to keep to the moves of \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "What was open is said; whether it was so before, only the handlers know.",
    todo: "Check that the handlers do what is described.",
    before: none,
    after: machine(returning),
    inverse: ["state-machine-removed"],
    mirror: waivers.whole,
  },
  "state-machine-removed": {
    area: "states",
    summary: ({ name }) => `the states \`${name}\` are no longer described`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Callers can no longer count on how \`${name}\` moves.`,
      },
      implementers: {
        severity: "info",
        consequence: ({ name }) => `Handlers may move \`${name}\` as they like.`,
      },
    },
    bump: "minor",
    why: "What was promised is open.",
    todo: "Keep the description.",
    before: machine(returning),
    after: none,
    inverse: ["state-machine-added"],
    mirror: waivers.whole,
  },
  "state-machine-type-changed": {
    area: "states",
    summary: ({ name, from, to }) =>
      `the states \`${name}\` are the values of \`${to}\` now, not of \`${from}\``,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ to }) => `Callers find the states as values of \`${to}\`.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ to }) => `Handlers keep the states as values of \`${to}\`.`,
      },
    },
    bump: "minor",
    why: "The fields that carry the states have changed their type too; those are changes of their own.",
    todo: "See what the two types do not share.",
    before: machine(returning),
    after: machine(returning).replace("type: LoanState", "type: OtherState"),
    inverse: ["state-machine-type-changed"],
    mirror: waivers.whole,
  },
  "transition-by-call-added": {
    area: "states",
    summary: ({ name, of }) => `${of} may move now: ${name}`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers may ask for it: ${name}.` },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The handler has to allow it: ${name}.`,
      },
    },
    bump: "minor",
    why: "A request that was refused is carried out.",
    todo: "Let the handler allow it.",
    before: machine(returning),
    after: machine(returning, reopening),
    inverse: ["transition-by-call-removed"],
    mirror: { rule: "transition-added" },
  },
  "transition-by-call-removed": {
    area: "states",
    summary: ({ name, of }) => `${of} can no longer move so: ${name}`,
    effects: {
      callers: { severity: "breaking", consequence: ({ name }) => `A request for it is refused: ${name}.` },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The handler has to refuse it: ${name}.`,
      },
    },
    bump: "major",
    why: "A request that was carried out is refused.",
    todo: "Say which error is given, and declare it at the method.",
    before: machine(returning, reopening),
    after: machine(returning),
    inverse: ["transition-by-call-added"],
    mirror: { rule: "transition-removed" },
  },
  "transition-added": {
    area: "states",
    summary: ({ name, of }) => `${of} may move now, without a call: ${name}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Callers find states that they did not ask for: ${name}.`,
      },
      implementers: { severity: "info", consequence: ({ name }) => `Handlers may find it so: ${name}.` },
      receivers: {
        severity: "warning",
        consequence: ({ name }) => `Receivers may get notifications of it: ${name}.`,
      },
    },
    bump: "minor",
    why: "What callers left in one state they may find in another.",
    todo: "Tell callers when it happens.",
    before: machine(returning),
    after: machine(returning, losing),
    inverse: ["transition-removed"],
    mirror: { rule: "transition-by-call-added" },
  },
  "transition-removed": {
    area: "states",
    summary: ({ name, of }) => `${of} no longer moves so without a call: ${name}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Callers who wait for it wait in vain: ${name}.`,
      },
      implementers: { severity: "info", consequence: ({ name }) => `Handlers never find it so: ${name}.` },
      receivers: {
        severity: "warning",
        consequence: ({ name }) => `Receivers never get notifications of it: ${name}.`,
      },
    },
    bump: "minor",
    why: "What moved by itself stays.",
    todo: "Tell callers what happens instead.",
    before: machine(returning, losing),
    after: machine(returning),
    inverse: ["transition-added"],
    mirror: { rule: "transition-by-call-removed" },
  },
  "transition-restated": {
    area: "states",
    summary: ({ name, of }) => `${name} are put otherwise for ${of}`,
    effects: {
      callers: {
        severity: "info",
        consequence: () => "What is said anew was possible before, or is said elsewhere.",
      },
    },
    bump: "patch",
    why: "Transitions taken together say which moves are possible: several may say what one said. What was gained or lost by it is a change of its own.",
    todo: "Nothing.",
    before: machine(
      "from: OPEN, by: BookService.EndLoan, to: ENDED",
      "from: LOST, by: BookService.EndLoan, to: ENDED",
      "from: ENDED, by: BookService.EndLoan, to: ENDED",
    ),
    after: machine("from: any, by: BookService.EndLoan, to: ENDED"),
    inverse: ["transition-restated"],
    mirror: waivers.text,
  },
  "transition-condition-added": {
    area: "states",
    summary: ({ name, of, to }) => `a move of ${of} has a condition now: ${name}, if ${to}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, to }) => `What always happened (${name}) happens only if ${to}.`,
      },
      implementers: { severity: "warning", consequence: ({ to }) => `Handlers have to see whether ${to}.` },
    },
    bump: "major",
    why: "Without the condition it happened each time.",
    todo: "Say what happens otherwise, and which error is given.",
    before: machine(returning),
    after: machine(`${returning}, condition: all pages are there`),
    inverse: ["transition-condition-removed"],
    mirror: waivers.whole,
  },
  "transition-condition-changed": {
    area: "states",
    summary: ({ name, of, from, to }) =>
      `a move of ${of} has another condition: ${name}, if ${to}, not if ${from}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name, to }) => `It happens in other cases: ${name}, if ${to}.`,
      },
      implementers: { severity: "warning", consequence: ({ to }) => `Handlers have to see whether ${to}.` },
    },
    bump: "minor",
    why: "This tool cannot tell wording from meaning: read both.",
    todo: "Compare the conditions; where only words changed, an exception says so.",
    before: machine(`${returning}, condition: all pages are there`),
    after: machine(`${returning}, condition: the cover is there`),
    inverse: ["transition-condition-changed"],
    mirror: waivers.whole,
  },
  "transition-condition-removed": {
    area: "states",
    summary: ({ name, of, from }) =>
      `a move of ${of} no longer has a condition: ${name}, not only if ${from}`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `It happens each time: ${name}.` },
      implementers: {
        severity: "warning",
        consequence: ({ from }) => `Handlers must not ask whether ${from}.`,
      },
    },
    bump: "minor",
    why: "Where it happened it still does.",
    todo: "Remove the check from the handler.",
    before: machine(`${returning}, condition: all pages are there`),
    after: machine(returning),
    inverse: ["transition-condition-added"],
    mirror: waivers.whole,
  },
  "transition-effects-changed": {
    area: "states",
    summary: ({ name, of, from, to }) =>
      `a move of ${of} has other effects: ${name}, with ${to}, not ${from}`,
    effects: {
      callers: { severity: "warning", consequence: ({ to }) => `Callers see other effects: ${to}.` },
      implementers: {
        severity: "warning",
        consequence: ({ to }) => `Handlers have other things to do: ${to}.`,
      },
      receivers: {
        severity: "warning",
        consequence: ({ to }) => `Receivers may get other notifications: ${to}.`,
      },
    },
    bump: "minor",
    why: "What else happens is part of what callers count on.",
    todo: "Check that the handlers do what is described.",
    before: machine(`${returning}, effects: [a receipt is printed]`),
    after: machine(`${returning}, effects: [a receipt is mailed]`),
    inverse: ["transition-effects-changed"],
    mirror: waivers.whole,
  },
} as const satisfies Readonly<Record<string, Rule>>;
