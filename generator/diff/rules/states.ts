import { waivers } from "./rule.ts";
import { ruleTable } from "./table.ts";

const machine = (...transitions: readonly string[]): string =>
  `states:\n  LoanState:\n    doc: Life of a loan.\n    section: "2"\n    type: LoanState\n    transitions:\n${transitions.map((each) => `      - { ${each} }\n`).join("")}`;
const none = "# there is no state machine LoanState\n";
const returning = "from: OPEN, by: BookService.EndLoan, to: ENDED";
const reopening = "from: ENDED, by: BookService.EndLoan, to: OPEN";
const losing = "from: OPEN, to: LOST, condition: the book is not found";

/** Transitions of state machines. `name` is the transition, `of` the machine. */
export const stateRules = ruleTable("states", waivers.whole, {
  "state-machine-added": {
    says: "the states `{name}` are described now",
    callers: "info: Callers learn how `{name}` moves.",
    implementers: "warning: Handlers have to keep to the moves of `{name}`.",
    why: "What was open is said; whether it was so before, only the handlers know.",
    todo: "Check that the handlers do what is described.",
    example: [none, machine(returning)],
  },
  "state-machine-removed": {
    says: "the states `{name}` are no longer described",
    callers: "warning: Callers can no longer count on how `{name}` moves.",
    implementers: "info: Handlers may move `{name}` as they like.",
    why: "What was promised is open.",
    todo: "Keep the description.",
  },
  "state-machine-type-changed": {
    says: "the states `{name}` are the values of `{to}` now, not of `{from}`",
    callers: "warning: Callers find the states as values of `{to}`.",
    implementers: "warning: Handlers keep the states as values of `{to}`.",
    why: "The fields that carry the states have changed their type too; those are changes of their own.",
    todo: "See what the two types do not share.",
    example: [machine(returning), machine(returning).replace("type: LoanState", "type: OtherState")],
  },
  "transition-by-call-added": {
    says: "{of} may move now: {name}",
    callers: "info: Callers may ask for it: {name}.",
    implementers: "warning: The handler has to allow it: {name}.",
    mirror: { rule: "transition-added" },
    why: "A request that was refused is carried out.",
    todo: "Let the handler allow it.",
    example: [machine(returning), machine(returning, reopening)],
  },
  "transition-by-call-removed": {
    says: "{of} can no longer move so: {name}",
    callers: "breaking: A request for it is refused: {name}.",
    implementers: "warning: The handler has to refuse it: {name}.",
    mirror: { rule: "transition-removed" },
    why: "A request that was carried out is refused.",
    todo: "Say which error is given, and declare it at the method.",
  },
  "transition-added": {
    says: "{of} may move now, without a call: {name}",
    callers: "warning: Callers find states that they did not ask for: {name}.",
    implementers: "info: Handlers may find it so: {name}.",
    receivers: "warning: Receivers may get notifications of it: {name}.",
    mirror: { rule: "transition-by-call-added" },
    why: "What callers left in one state they may find in another.",
    todo: "Tell callers when it happens.",
    example: [machine(returning), machine(returning, losing)],
  },
  "transition-removed": {
    says: "{of} no longer moves so without a call: {name}",
    callers: "warning: Callers who wait for it wait in vain: {name}.",
    implementers: "info: Handlers never find it so: {name}.",
    receivers: "warning: Receivers never get notifications of it: {name}.",
    mirror: { rule: "transition-by-call-removed" },
    why: "What moved by itself stays.",
    todo: "Tell callers what happens instead.",
  },
  "transition-restated": {
    says: "{name} are put otherwise for {of}",
    callers: "info: What is said anew was possible before, or is said elsewhere.",
    bump: "patch",
    mirror: waivers.text,
    why: "Transitions taken together say which moves are possible: several may say what one said. What was gained or lost by it is a change of its own.",
    example: [
      machine(
        "from: OPEN, by: BookService.EndLoan, to: ENDED",
        "from: LOST, by: BookService.EndLoan, to: ENDED",
        "from: ENDED, by: BookService.EndLoan, to: ENDED",
      ),
      machine("from: any, by: BookService.EndLoan, to: ENDED"),
    ],
  },
  "transition-condition-added": {
    says: "a move of {of} has a condition now: {name}, if {to}",
    callers: "breaking: What always happened ({name}) happens only if {to}.",
    implementers: "warning: Handlers have to see whether {to}.",
    why: "Without the condition it happened each time.",
    todo: "Say what happens otherwise, and which error is given.",
    example: [machine(returning), machine(`${returning}, condition: all pages are there`)],
  },
  "transition-condition-changed": {
    says: "a move of {of} has another condition: {name}, if {to}, not if {from}",
    callers: "warning: It happens in other cases: {name}, if {to}.",
    implementers: "warning: Handlers have to see whether {to}.",
    why: "This tool cannot tell wording from meaning: read both.",
    todo: "Compare the conditions; where only words changed, an exception says so.",
    example: [
      machine(`${returning}, condition: all pages are there`),
      machine(`${returning}, condition: the cover is there`),
    ],
  },
  "transition-condition-removed": {
    says: "a move of {of} no longer has a condition: {name}, not only if {from}",
    callers: "info: It happens each time: {name}.",
    implementers: "warning: Handlers must not ask whether {from}.",
    why: "Where it happened it still does.",
    todo: "Remove the check from the handler.",
  },
  "transition-effects-changed": {
    says: "a move of {of} has other effects: {name}, with {to}, not {from}",
    callers: "warning: Callers see other effects: {to}.",
    implementers: "warning: Handlers have other things to do: {to}.",
    receivers: "warning: Receivers may get other notifications: {to}.",
    why: "What else happens is part of what callers count on.",
    todo: "Check that the handlers do what is described.",
    example: [
      machine(`${returning}, effects: [a receipt is printed]`),
      machine(`${returning}, effects: [a receipt is mailed]`),
    ],
  },
});

const rule = (id: string, doc: string): string => `rules:\n  ${id}:\n    doc: ${doc}\n    section: "2"\n`;
const noRule = "# there is no such rule\n";

/** Normative sentences. Those about notifications concern `receivers`. */
export const normativeRules = ruleTable("rules", waivers.whole, {
  "rule-added": {
    says: "the rule `{name}` was added",
    callers: "warning: Callers have to keep a new rule: {to}",
    implementers: "warning: Implementers have to keep a new rule: {to}",
    receivers: "warning: Receivers have to keep a new rule: {to}",
    why: "A sentence that everyone has to keep was not there before. What it breaks, only its words say.",
    todo: "Read it, and see what does not keep it.",
    example: [noRule, rule("opening-hours", "Loans end at noon.")],
  },
  "rule-removed": {
    says: "the rule `{name}` was removed",
    callers: "warning: Callers can no longer count on it: {from}",
    implementers: "warning: Implementers can no longer count on it: {from}",
    receivers: "warning: Receivers can no longer count on it: {from}",
    why: "Callers may count on it.",
    todo: "See who does.",
  },
  "rule-changed": {
    says: "the rule `{name}` says something else",
    callers: "warning: Callers have to keep it as it is now: {to}",
    implementers: "warning: Implementers have to keep it as it is now: {to}",
    receivers: "warning: Receivers have to keep it as it is now: {to}",
    why: "This tool cannot tell wording from meaning: read both sentences.",
    todo: "Compare the sentences; where only words changed, an exception says so.",
    example: [rule("opening-hours", "Loans end at noon."), rule("opening-hours", "Loans end at six.")],
  },
  "rule-renamed": {
    area: "texts",
    says: "the rule `{from}` is called `{to}` now",
    callers: "info: The sentence is the same.",
    mirror: waivers.text,
    why: "The id of a rule is for reference.",
    example: [rule("opening-hours", "Loans end at noon."), rule("closing-hours", "Loans end at noon.")],
  },
  "signing-rule-added": {
    says: "the rule `{name}`, which speaks of signatures, was added",
    callers: "breaking: Callers have to sign and check as it says: {to}",
    implementers: "breaking: Implementers have to sign and check as it says: {to}",
    receivers: "breaking: Receivers have to sign and check as it says: {to}",
    why: "Which bytes are signed, how and with which key has to be the same on both sides to the last bit.",
    todo: "Take what was right before as well, for a revision at least. Where it says what was always so, an exception says that.",
    example: [noRule, rule("signed-bytes", "The signature covers the payload as sent.")],
  },
  "signing-rule-removed": {
    says: "the rule `{name}`, which speaks of signatures, was removed",
    callers: "breaking: Callers can no longer count on it: {from}",
    implementers: "breaking: Implementers can no longer count on it: {from}",
    receivers: "breaking: Receivers can no longer count on it: {from}",
    why: "Which bytes are signed, how and with which key has to be the same on both sides to the last bit.",
    todo: "Keep the rule.",
  },
  "signing-rule-changed": {
    says: "what the rule `{name}` says of signatures was changed",
    callers: "breaking: Callers have to sign and check as it says now: {to}",
    implementers: "breaking: Implementers have to sign and check as it says now: {to}",
    receivers: "breaking: Receivers have to sign and check as it says now: {to}",
    why: "Which bytes are signed, how and with which key has to be the same on both sides to the last bit: a signature that was right is refused.",
    todo: "Take what was right before as well, for a revision at least. Where only words changed, an exception says so.",
    example: [
      rule("signed-bytes", "The signature covers the payload as sent."),
      rule("signed-bytes", "The signature covers the payload in canonical form."),
    ],
  },
});
