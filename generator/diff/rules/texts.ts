import { waivers, type Rule } from "../model/rule.ts";
import { lendBook, objectType } from "./samples.ts";

const request = (field: string): string => objectType("LoanRequest", "Asks for a loan.", `- ${field}`);

/** The rules on texts, and on all else that changes nothing on the wire by itself. */
export const textRules = {
  "doc-changed": {
    area: "texts",
    summary: ({ name }) => `the text of ${name} was changed`,
    effects: { callers: { severity: "info", consequence: () => "Callers read another text." } },
    bump: "patch",
    why: "Prose explains; what is promised stands elsewhere. `--no-docs` leaves such changes out.",
    todo: "Nothing.",
    before: lendBook("doc: Lends a book."),
    after: lendBook("doc: Lends a book to a reader."),
    inverse: ["doc-changed"],
    mirror: waivers.text,
  },
  "doc-figures-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `the text of ${name} says ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: () => "Callers may count on what the text said: a default, a limit, a time.",
      },
      implementers: { severity: "warning", consequence: () => "Handlers may have to do what it says now." },
      receivers: { severity: "warning", consequence: () => "Receivers may count on what the text said." },
    },
    bump: "minor",
    why: "Defaults, limits and times that nothing else in the spec can say stand in its texts. Where the figures in one change, more may have changed than its words.",
    todo: "Read both texts. What the language has a key for, say by that key.",
    before: request('{ name: id, type: string, optional: true, doc: "Identifier; 15 if absent." }'),
    after: request('{ name: id, type: string, optional: true, doc: "Identifier; 20 if absent." }'),
    inverse: ["doc-figures-changed"],
    mirror: waivers.text,
  },
  "doc-rule-added": {
    area: "texts",
    summary: ({ name, from, to }) => `the text of ${name} rules more than before: ${to}, not ${from}`,
    effects: {
      callers: { severity: "warning", consequence: () => "Callers may have to keep what it says now." },
      implementers: { severity: "warning", consequence: () => "Handlers may have to do what it says now." },
      receivers: { severity: "warning", consequence: () => "Receivers may have to keep what it says now." },
    },
    bump: "minor",
    why: "A sentence with words such as `must`, `only` or `refused` asks for something. That it stands in a text and not in a key of the language makes it no less a rule.",
    todo: "Read both texts. What the language has a key for, say by that key; where only words changed, an exception says so.",
    before: request("{ name: id, type: string, optional: true, doc: Identifier. }"),
    after: request("{ name: id, type: string, optional: true, doc: Identifier; only of one's own loans. }"),
    inverse: ["doc-changed"],
    mirror: waivers.text,
  },
  "meaning-exchanged": {
    area: "texts",
    summary: ({ name, from }) => `${name} is described as \`${from}\` was`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) => `Callers may have to use it for what \`${from}\` was for.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ from }) => `Handlers may have to use it for what \`${from}\` was for.`,
      },
      receivers: {
        severity: "warning",
        consequence: ({ from }) => `Receivers may have to read it as they read \`${from}\`.`,
      },
    },
    bump: "minor",
    why: "Two things that have exchanged their texts may have exchanged their names: what is sent under the one means the other.",
    todo: "Where a name was moved, give both things names that neither had, and say `renamedFrom`.",
    before: request(
      "{ name: from, type: string, doc: The first day. }\n- { name: to, type: string, doc: The last day. }",
    ),
    after: request(
      "{ name: from, type: string, doc: The last day. }\n- { name: to, type: string, doc: The first day. }",
    ),
    inverse: ["meaning-exchanged"],
    mirror: waivers.text,
  },
  "section-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `${name} is of section ${to} now, not ${from}`,
    effects: {
      callers: { severity: "info", consequence: () => "Callers find it elsewhere in the document." },
    },
    bump: "patch",
    why: "Sections are for reference.",
    todo: "Nothing.",
    before: lendBook('section: "2"'),
    after: lendBook('section: "2.1"'),
    inverse: ["section-changed"],
    mirror: waivers.text,
  },
  "decisions-changed": {
    area: "texts",
    summary: ({ name, from, to }) => {
      if (from === "none") return `${name} cites ${to} now`;
      return to === "none" ? `${name} no longer cites ${from}` : `${name} cites ${to} now, not ${from}`;
    },
    effects: { implementers: { severity: "info", consequence: () => "Implementers look elsewhere." } },
    bump: "patch",
    why: "Decisions are for reference; what they change stands elsewhere.",
    todo: "Nothing.",
    before: lendBook("decision: D-01"),
    after: lendBook("decision: D-02"),
    inverse: ["decisions-changed"],
    mirror: waivers.text,
  },
  "example-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `the example of ${name} is ${to} now, not ${from}`,
    effects: { callers: { severity: "info", consequence: () => "Callers read another example." } },
    bump: "patch",
    why: "Examples illustrate; what is promised stands elsewhere.",
    todo: "Nothing.",
    before: request("{ name: id, type: string, example: B-1, doc: Identifier. }"),
    after: request("{ name: id, type: string, example: B-2, doc: Identifier. }"),
    inverse: ["example-changed"],
    mirror: waivers.text,
  },
  "label-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `forms call ${name} by ${to} now, not by ${from}`,
    effects: { callers: { severity: "info", consequence: () => "People read another label." } },
    bump: "patch",
    why: "A label is for people. Programs use the name.",
    todo: "Nothing.",
    before: request("{ name: id, type: string, doc: Identifier. }"),
    after: request("{ name: id, type: string, label: Number of the loan, doc: Identifier. }"),
    inverse: ["label-changed"],
    mirror: waivers.text,
  },
  "default-changed": {
    area: "fields",
    summary: ({ name, from, to }) => `the default of ${name} is ${to} now, not ${from}`,
    effects: {
      callers: { severity: "warning", consequence: () => "A call that leaves it out means something else." },
      implementers: {
        severity: "warning",
        consequence: ({ to }) => `Handlers find ${to} where callers say nothing.`,
      },
    },
    bump: "minor",
    why: "Callers leave a field out because they want its default.",
    todo: "Keep the default, or say in the release notes what absent means now.",
    before: tasks("50"),
    after: tasks("20"),
    inverse: ["default-changed"],
    mirror: waivers.text,
  },
  "renamed-from-changed": {
    area: "texts",
    summary: ({ name, from, to }) => `${name} says that it was called ${to}, and did say ${from}`,
    effects: {
      implementers: {
        severity: "info",
        consequence: () => "Comparisons with older revisions tell it otherwise.",
      },
    },
    bump: "patch",
    why: "`renamedFrom` is for comparisons with revisions in which the old name was in use.",
    todo: "Keep `renamedFrom` for as long as anyone compares with such a revision.",
    before: request("{ name: id, type: string, renamedFrom: ID, doc: Identifier. }"),
    after: request("{ name: id, type: string, doc: Identifier. }"),
    inverse: ["renamed-from-changed"],
    mirror: waivers.text,
  },
  "since-changed": {
    area: "texts",
    summary: ({ name, from, to }) => {
      if (to === "") return `${name} no longer says since when it is there`;
      const now = `${name} says that it is there since ${to} now`;
      return from === "" ? now : `${now}, not since ${from}`;
    },
    effects: {
      callers: { severity: "info", consequence: () => "Callers read another revision." },
    },
    bump: "patch",
    why: "`since` is for reference; the revision before had it all the same.",
    todo: "Nothing.",
    before: lendBook(),
    after: lendBook("since: 1.1.0"),
    inverse: ["since-changed", "method-name-reused", "error-name-reused", "event-name-reused"],
    mirror: waivers.text,
  },
  "since-inconsistent": {
    area: "texts",
    summary: ({ name, from, to }) =>
      `${name} is new, and says that it is there since ${to}; ${from} had none`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) => `Callers of ${from} read that they can use it, and cannot.`,
      },
    },
    bump: "patch",
    why: "`since` is the first revision that has it.",
    todo: "Write the revision that adds it.",
    before: "# there is no BookService.RenewLoan\n",
    after: lendBook("since: 1.0.0").replace("LendBook", "RenewLoan"),
    inverse: [],
    mirror: waivers.text,
  },
  "deprecated-added": {
    area: "texts",
    summary: ({ name, to }) => `${name} is deprecated: ${to}`,
    effects: {
      callers: { severity: "info", consequence: ({ to }) => `Callers should move on: ${to}` },
      implementers: { severity: "info", consequence: () => "It works as before." },
    },
    bump: "minor",
    why: "It works as before; it will not do so for ever.",
    todo: "Move to what the text names.",
    before: lendBook(),
    after: lendBook("deprecated: Use BookService.GetBook."),
    inverse: ["deprecated-removed"],
    mirror: waivers.text,
  },
  "deprecated-changed": {
    area: "texts",
    summary: ({ name, to }) => `what is said about moving on from ${name} was changed: ${to}`,
    effects: { callers: { severity: "info", consequence: ({ to }) => `Callers should move on: ${to}` } },
    bump: "patch",
    why: "It works as before.",
    todo: "Nothing.",
    before: lendBook("deprecated: Use BookService.GetBook."),
    after: lendBook("deprecated: Ask at the desk."),
    inverse: ["deprecated-changed"],
    mirror: waivers.text,
  },
  "deprecated-removed": {
    area: "texts",
    summary: ({ name }) => `${name} is no longer deprecated`,
    effects: { callers: { severity: "info", consequence: () => "Callers may stay." } },
    bump: "patch",
    why: "It works as before.",
    todo: "Nothing.",
    before: lendBook("deprecated: Use BookService.GetBook."),
    after: lendBook(),
    inverse: ["deprecated-added"],
    mirror: waivers.text,
  },
  "removed-before-sunset": {
    area: "operations",
    summary: ({ name, from, to }) => `${name} was to stay until ${from}, and is gone in ${to}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) => `Callers who planned to move by ${from} are too late.`,
      },
      implementers: { severity: "breaking", consequence: () => "Handlers that were to go on are cut off." },
    },
    bump: "major",
    why: "The text of `deprecated` named the revision in which it goes; callers planned by that.",
    todo: "Keep it until the revision that was announced.",
    before: lendBook("deprecated: Goes in 9.0.0.").replace("LendBook", "RenewLoan"),
    after: "# there is no BookService.RenewLoan\n",
    inverse: [],
    mirror: waivers.whole,
  },
  "constraint-restated": {
    area: "texts",
    summary: ({ name, of, from, to }) =>
      to === ""
        ? `\`${name}\` of ${of} no longer says ${from}, which goes without saying`
        : from === ""
          ? `\`${name}\` of ${of} says ${to}, which went without saying`
          : `\`${name}\` of ${of} says ${to} in place of ${from}, which takes the same values`,
    effects: { callers: { severity: "info", consequence: () => "The same values are right as before." } },
    bump: "patch",
    why: "A required string in a request is never empty, and no length is below zero: what was implied is said, or the other way round.",
    todo: "Nothing.",
    before: request("{ name: id, type: string, doc: Identifier. }"),
    after: request("{ name: id, type: string, minLength: 1, doc: Identifier. }"),
    inverse: ["constraint-restated"],
    mirror: waivers.text,
  },
  "sensitive-added": {
    area: "fields",
    summary: ({ name }) => `${name} is sensitive now`,
    effects: {
      callers: { severity: "info", consequence: () => "Errors no longer echo its value." },
      implementers: { severity: "info", consequence: () => "It is no longer logged." },
    },
    bump: "patch",
    why: "Nothing changes in what travels.",
    todo: "See whether old logs hold it.",
    before: request("{ name: card, type: string, doc: Number of the card. }"),
    after: request("{ name: card, type: string, sensitive: true, doc: Number of the card. }"),
    inverse: ["sensitive-removed"],
    mirror: waivers.text,
  },
  "sensitive-removed": {
    area: "fields",
    summary: ({ name }) => `${name} is no longer sensitive`,
    effects: {
      callers: {
        severity: "warning",
        consequence: () => "What callers say there may be logged and echoed in errors.",
      },
      implementers: { severity: "warning", consequence: () => "It may appear in logs." },
    },
    bump: "minor",
    why: "What was kept out of logs and errors may be found there.",
    todo: "Have it reviewed by a person who answers for privacy.",
    before: request("{ name: card, type: string, sensitive: true, doc: Number of the card. }"),
    after: request("{ name: card, type: string, doc: Number of the card. }"),
    inverse: ["sensitive-added"],
    mirror: waivers.text,
  },
} as const satisfies Readonly<Record<string, Rule>>;

function tasks(preset: string): string {
  return `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\nmethods:\n  list:\n    payload: { fields: [{ name: limit, type: integer, default: ${preset} }] }\n`;
}
