import { waivers } from "./rule.ts";
import { lendBook, objectType } from "./samples.ts";
import { ruleTable } from "./table.ts";

const request = (field: string): string => objectType("LoanRequest", "Asks for a loan.", `- ${field}`);

/** The rules on texts, and on all else that changes nothing on the wire by itself. */
export const textRules = ruleTable("texts", waivers.text, {
  "doc-changed": {
    says: "the text of {name} was changed",
    callers: "info: Callers read another text.",
    why: "Prose explains; what is promised stands elsewhere. `--no-docs` leaves such changes out.",
    example: [lendBook("doc: Lends a book."), lendBook("doc: Lends a book to a reader.")],
  },
  "doc-figures-changed": {
    says: "the text of {name} says {to} now, not {from}",
    callers: "warning: Callers may count on what the text said: a default, a limit, a time.",
    implementers: "warning: Handlers may have to do what it says now.",
    receivers: "warning: Receivers may count on what the text said.",
    bump: "minor",
    why: "Defaults, limits and times that nothing else in the spec can say stand in its texts. Where the figures in one change, more may have changed than its words.",
    todo: "Read both texts. What the language has a key for, say by that key.",
    example: [
      request('{ name: id, type: string, optional: true, doc: "Identifier; 15 if absent." }'),
      request('{ name: id, type: string, optional: true, doc: "Identifier; 20 if absent." }'),
    ],
  },
  "doc-rule-added": {
    says: "the text of {name} rules more than before: {to}, not {from}",
    callers: "warning: Callers may have to keep what it says now.",
    implementers: "warning: Handlers may have to do what it says now.",
    receivers: "warning: Receivers may have to keep what it says now.",
    bump: "minor",
    why: "A sentence with words such as `must`, `only` or `refused` asks for something. That it stands in a text and not in a key of the language makes it no less a rule.",
    todo: "Read both texts. What the language has a key for, say by that key; where only words changed, an exception says so.",
    example: [
      request("{ name: id, type: string, optional: true, doc: Identifier. }"),
      request("{ name: id, type: string, optional: true, doc: Identifier; only of one's own loans. }"),
    ],
    inverse: ["doc-changed"],
  },
  "meaning-exchanged": {
    says: "{name} is described as `{from}` was",
    callers: "warning: Callers may have to use it for what `{from}` was for.",
    implementers: "warning: Handlers may have to use it for what `{from}` was for.",
    receivers: "warning: Receivers may have to read it as they read `{from}`.",
    bump: "minor",
    why: "Two things that have exchanged their texts may have exchanged their names: what is sent under the one means the other.",
    todo: "Where a name was moved, give both things names that neither had, and say `renamedFrom`.",
    example: [
      request(
        "{ name: from, type: string, doc: The first day. }\n- { name: to, type: string, doc: The last day. }",
      ),
      request(
        "{ name: from, type: string, doc: The last day. }\n- { name: to, type: string, doc: The first day. }",
      ),
    ],
  },
  "section-changed": {
    says: "{name} is of section {to} now, not {from}",
    callers: "info: Callers find it elsewhere in the document.",
    why: "Sections are for reference.",
    example: [lendBook('section: "2"'), lendBook('section: "2.1"')],
  },
  "decisions-changed": {
    says: ({ name, from, to }) => {
      if (from === "none") return `${name} cites ${to} now`;
      return to === "none" ? `${name} no longer cites ${from}` : `${name} cites ${to} now, not ${from}`;
    },
    implementers: "info: Implementers look elsewhere.",
    why: "Decisions are for reference; what they change stands elsewhere.",
    example: [lendBook("decision: D-01"), lendBook("decision: D-02")],
  },
  "example-changed": {
    says: "the example of {name} is {to} now, not {from}",
    callers: "info: Callers read another example.",
    why: "Examples illustrate; what is promised stands elsewhere.",
    example: [
      request("{ name: id, type: string, example: B-1, doc: Identifier. }"),
      request("{ name: id, type: string, example: B-2, doc: Identifier. }"),
    ],
  },
  "label-changed": {
    says: "forms call {name} by {to} now, not by {from}",
    callers: "info: People read another label.",
    why: "A label is for people. Programs use the name.",
    example: [
      request("{ name: id, type: string, doc: Identifier. }"),
      request("{ name: id, type: string, label: Number of the loan, doc: Identifier. }"),
    ],
  },
  "default-changed": {
    area: "fields",
    says: "the default of {name} is {to} now, not {from}",
    callers: "warning: A call that leaves it out means something else.",
    implementers: "warning: Handlers find {to} where callers say nothing.",
    why: "Callers leave a field out because they want its default.",
    todo: "Keep the default, or say in the release notes what absent means now.",
    example: [tasks("50"), tasks("20")],
  },
  "renamed-from-changed": {
    says: "{name} says that it was called {to}, and did say {from}",
    implementers: "info: Comparisons with older revisions tell it otherwise.",
    why: "`renamedFrom` is for comparisons with revisions in which the old name was in use.",
    todo: "Keep `renamedFrom` for as long as anyone compares with such a revision.",
    example: [
      request("{ name: id, type: string, renamedFrom: ID, doc: Identifier. }"),
      request("{ name: id, type: string, doc: Identifier. }"),
    ],
  },
  "since-changed": {
    says: ({ name, from, to }) => {
      if (to === "") return `${name} no longer says since when it is there`;
      const now = `${name} says that it is there since ${to} now`;
      return from === "" ? now : `${now}, not since ${from}`;
    },
    callers: "info: Callers read another revision.",
    why: "`since` is for reference; the revision before had it all the same.",
    example: [lendBook(), lendBook("since: 1.1.0")],
    inverse: ["since-changed", "method-name-reused", "error-name-reused", "event-name-reused"],
  },
  "since-inconsistent": {
    says: "{name} is new, and says that it is there since {to}; {from} had none",
    callers: "warning: Callers of {from} read that they can use it, and cannot.",
    why: "`since` is the first revision that has it.",
    todo: "Write the revision that adds it.",
    example: [
      "# there is no BookService.RenewLoan\n",
      lendBook("since: 1.0.0").replace("LendBook", "RenewLoan"),
    ],
    inverse: [],
  },
  "deprecated-added": {
    says: "{name} is deprecated: {to}",
    callers: "info: Callers should move on: {to}",
    implementers: "info: It works as before.",
    bump: "minor",
    why: "It works as before; it will not do so for ever.",
    todo: "Move to what the text names.",
    example: [lendBook(), lendBook("deprecated: Use BookService.GetBook.")],
  },
  "deprecated-changed": {
    says: "what is said about moving on from {name} was changed: {to}",
    callers: "info: Callers should move on: {to}",
    why: "It works as before.",
    example: [lendBook("deprecated: Use BookService.GetBook."), lendBook("deprecated: Ask at the desk.")],
  },
  "deprecated-removed": {
    says: "{name} is no longer deprecated",
    callers: "info: Callers may stay.",
    why: "It works as before.",
  },
  "removed-before-sunset": {
    area: "operations",
    says: "{name} was to stay until {from}, and is gone in {to}",
    callers: "breaking: Callers who planned to move by {from} are too late.",
    implementers: "breaking: Handlers that were to go on are cut off.",
    mirror: waivers.whole,
    why: "The text of `deprecated` named the revision in which it goes; callers planned by that.",
    todo: "Keep it until the revision that was announced.",
    example: [
      lendBook("deprecated: Goes in 9.0.0.").replace("LendBook", "RenewLoan"),
      "# there is no BookService.RenewLoan\n",
    ],
    inverse: [],
  },
  "constraint-restated": {
    says: ({ name, of, from, to }) =>
      to === ""
        ? `\`${name}\` of ${of} no longer says ${from}, which goes without saying`
        : from === ""
          ? `\`${name}\` of ${of} says ${to}, which went without saying`
          : `\`${name}\` of ${of} says ${to} in place of ${from}, which takes the same values`,
    callers: "info: The same values are right as before.",
    why: "A required string in a request is never empty, and no length is below zero: what was implied is said, or the other way round.",
    example: [
      request("{ name: id, type: string, doc: Identifier. }"),
      request("{ name: id, type: string, minLength: 1, doc: Identifier. }"),
    ],
  },
  "sensitive-added": {
    area: "fields",
    says: "{name} is sensitive now",
    callers: "info: Errors no longer echo its value.",
    implementers: "info: It is no longer logged.",
    bump: "patch",
    why: "Nothing changes in what travels.",
    todo: "See whether old logs hold it.",
    example: [
      request("{ name: card, type: string, doc: Number of the card. }"),
      request("{ name: card, type: string, sensitive: true, doc: Number of the card. }"),
    ],
  },
  "sensitive-removed": {
    area: "fields",
    says: "{name} is no longer sensitive",
    callers: "warning: What callers say there may be logged and echoed in errors.",
    implementers: "warning: It may appear in logs.",
    why: "What was kept out of logs and errors may be found there.",
    todo: "Have it reviewed by a person who answers for privacy.",
  },
});

function tasks(preset: string): string {
  return `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\nmethods:\n  list:\n    payload: { fields: [{ name: limit, type: integer, default: ${preset} }] }\n`;
}
