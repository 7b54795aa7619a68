import { waivers, type Rule } from "../model/rule.ts";
import { lendBook, objectType } from "./samples.ts";

const request = (fields: string): string => objectType("LoanRequest", "Asks for a loan.", fields);
const loan = (fields: string): string => objectType("Loan", "A loan.", fields);
const event = (fields: string): string => objectType("LoanEvent", "A loan in a notification.", fields);
const plain = "- { name: readerId, type: string, doc: Who borrows. }";
const spelt = "- { name: readerId, type: string, spellings: [borrower], doc: Who borrows. }";
const doubled = "- { name: readerId, type: string, alsoSentAs: borrower, doc: Who borrows. }";
const card = objectType("Card", "A card.", "- { name: number, type: string, doc: Its number. }");
const counted = (type: string): string =>
  `interface:\n  name: tasks\n  wire:\n    protocol: json-rpc-2.0\nmethods:\n  count:\n    result: ${type}\n`;
const none = "# there is no type Card\n";
const pagedBooks = (paging: string): string =>
  `methods:\n  BookService.FindBooks:\n    doc: Finds books.\n    effect: read\n    auth: [credential]\n    ${paging}\n    payload: { fields: [{ name: page, type: integer, optional: true, doc: The page. }] }\n    result: { fields: [{ name: books, type: array of Book, doc: The books. }] }\n`;

/** Second names, and names that are only in generated code. */
export const nameRules = {
  "request-spelling-added": {
    area: "fields",
    summary: ({ name, of, to }) => `requests may call \`${name}\` of ${of} also \`${to}\``,
    effects: { callers: { severity: "info", consequence: ({ to }) => `Requests may say \`${to}\`.` } },
    bump: "minor",
    why: "One more name is understood.",
    todo: "Nothing.",
    before: request(plain),
    after: request(spelt),
    inverse: ["request-spelling-removed"],
    mirror: { rule: "response-also-sent-as-added" },
  },
  "request-spelling-removed": {
    area: "fields",
    summary: ({ name, of, from }) => `requests can no longer call \`${name}\` of ${of} \`${from}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) => `What requests say in \`${from}\` is not heard.`,
      },
    },
    bump: "major",
    why: "Callers use spellings that are documented.",
    todo: "Keep the spelling; it costs nothing.",
    before: request(spelt),
    after: request(plain),
    inverse: ["request-spelling-added"],
    mirror: { rule: "response-also-sent-as-removed" },
  },
  "spelling-restated": {
    area: "texts",
    summary: ({ name, of, from, to }) => `the spellings of \`${name}\` of ${of} are ${to} now, not ${from}`,
    effects: { callers: { severity: "info", consequence: () => "The same names are understood as before." } },
    bump: "patch",
    why: "Names in requests match ignoring case, and answers have no spellings: nothing is understood that was not, and nothing is lost.",
    todo: "Nothing.",
    before: request(plain),
    after: request("- { name: readerId, type: string, spellings: [ReaderID], doc: Who borrows. }"),
    inverse: ["spelling-restated"],
    mirror: waivers.text,
  },
  "response-also-sent-as-added": {
    area: "fields",
    summary: ({ name, of, to }) => `answers repeat \`${name}\` of ${of} as \`${to}\` now`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ to }) =>
          `Callers find \`${to}\`, which those who ignore unknown fields do not notice.`,
      },
    },
    bump: "minor",
    why: "The service adds the second name itself; handlers give the value once.",
    todo: "Nothing.",
    before: loan(plain),
    after: loan(doubled),
    inverse: ["response-also-sent-as-removed"],
    mirror: { rule: "request-spelling-added" },
  },
  "response-also-sent-as-removed": {
    area: "fields",
    summary: ({ name, of, from }) => `answers no longer repeat \`${name}\` of ${of} as \`${from}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) => `Callers who read \`${from}\` find nothing: it is \`${name}\`.`,
      },
    },
    bump: "major",
    why: "Callers read one of the two names; which one is unknown.",
    todo: "Keep sending both.",
    before: loan(doubled),
    after: loan(plain),
    inverse: ["response-also-sent-as-added"],
    mirror: { rule: "request-spelling-removed" },
  },
  "event-also-sent-as-added": {
    area: "fields",
    summary: ({ name, of, to }) => `events repeat \`${name}\` of ${of} as \`${to}\` now`,
    effects: {
      receivers: {
        severity: "info",
        consequence: ({ to }) =>
          `Receivers find \`${to}\`, which those who ignore unknown fields do not notice.`,
      },
    },
    bump: "minor",
    why: "The service adds the second name itself.",
    todo: "Nothing.",
    before: event(plain),
    after: event(doubled),
    inverse: ["event-also-sent-as-removed"],
    mirror: { rule: "request-spelling-added" },
  },
  "event-also-sent-as-removed": {
    area: "fields",
    summary: ({ name, of, from }) => `events no longer repeat \`${name}\` of ${of} as \`${from}\``,
    effects: {
      receivers: {
        severity: "breaking",
        consequence: ({ name, from }) => `Receivers who read \`${from}\` find nothing: it is \`${name}\`.`,
      },
    },
    bump: "major",
    why: "Receivers read one of the two names; which one is unknown.",
    todo: "Keep sending both.",
    before: event(doubled),
    after: event(plain),
    inverse: ["event-also-sent-as-added"],
    mirror: { rule: "request-spelling-removed" },
  },
  "also-sent-as-restated": {
    area: "texts",
    summary: ({ name, of, from, to }) => `the second name of \`${name}\` of ${of} is ${to} now, not ${from}`,
    effects: { callers: { severity: "info", consequence: () => "Nothing changes on the wire." } },
    bump: "patch",
    why: "Only answers and events are sent under a second name; the field travels in neither.",
    todo: "Nothing.",
    before: request(plain),
    after: request(doubled),
    inverse: ["also-sent-as-restated"],
    mirror: waivers.text,
  },
  "type-added": {
    area: "types",
    summary: ({ name }) => `the type \`${name}\` was added`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `The client exports the type \`${name}\`.` },
    },
    bump: "minor",
    why: "A type by itself does nothing: what uses it is a change of its own.",
    todo: "Nothing.",
    before: none,
    after: card,
    inverse: ["type-removed"],
    mirror: waivers.errorCodes,
  },
  "type-removed": {
    area: "types",
    summary: ({ name }) => `the type \`${name}\` was removed`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) =>
          `Nothing changes on the wire; code that imports the type \`${name}\` no longer compiles.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Handlers that import the type \`${name}\` no longer compile.`,
      },
    },
    bump: "major",
    why: "The name of a type is only in generated code; what travelled as it is a change of its own.",
    todo: "Import the type that took its place. If it has a new name, say so with `renamedFrom`.",
    before: card,
    after: none,
    inverse: ["type-added"],
    mirror: waivers.errorCodes,
  },
  "type-renamed": {
    area: "types",
    summary: ({ from, to }) => `the type \`${from}\` is called \`${to}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) =>
          `Nothing changes on the wire; code that imports the type \`${from}\` no longer compiles.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ from }) => `Handlers that import the type \`${from}\` no longer compile.`,
      },
    },
    bump: "major",
    why: "The name of a type is only in generated code.",
    todo: "Rename the import.",
    before: card,
    after: card.replace("Card:", "LibraryCard:\n    renamedFrom: Card"),
    inverse: ["type-renamed", "type-added", "type-removed"],
    mirror: waivers.errorCodes,
  },
  "unused-type-changed": {
    area: "types",
    summary: ({ name }) => `the type \`${name}\`, which nothing travels as, was changed`,
    effects: { callers: { severity: "info", consequence: () => "Nothing changes on the wire." } },
    bump: "minor",
    why: "No request, answer or event reaches the type before and after; only code that imports it by name may notice.",
    todo: "Nothing. Remove types that are not needed.",
    before: card,
    after: objectType("Card", "A card.", "- { name: number, type: integer, doc: Its number. }"),
    inverse: ["unused-type-changed"],
    mirror: waivers.errorCodes,
  },
  "named-type-changed": {
    area: "types",
    summary: ({ name, of, from, to }) =>
      `the generated type of \`${name}\` of ${of} is ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "info",
        consequence: () => "What differs on the wire, if anything, is said beside this.",
      },
      implementers: {
        severity: "info",
        consequence: ({ to }) => `Where handlers name the type, it is ${to}.`,
      },
    },
    bump: "patch",
    why: "The same structure may go by a name of its own, or be written in place.",
    todo: "Nothing, unless code names the type.",
    before: loan("- { name: book, type: Book, doc: What is lent. }"),
    after: loan(
      "- name: book\n  type: object\n  doc: What is lent.\n  fields:\n    - { name: id, type: string, doc: Identifier. }\n    - { name: title, type: string, doc: Title. }\n    - { name: genre, type: Genre, doc: Kind of book. }",
    ),
    inverse: ["named-type-changed"],
    mirror: waivers.errorCodes,
  },
  "handler-type-changed": {
    area: "types",
    summary: ({ name, of, from, to }) => `handlers see \`${name}\` of ${of} as ${to} now, not as ${from}`,
    effects: {
      implementers: {
        severity: "breaking",
        consequence: ({ to }) => `Handlers no longer compile where they do not expect ${to}.`,
      },
    },
    bump: "patch",
    why: "On the wire `money` is a JSON number like others; handlers are given a decimal whose digits survive.",
    todo: "Compute with decimals in the handler; nothing has to be done outside.",
    before: request("- { name: fee, type: number, doc: What it costs. }"),
    after: request("- { name: fee, type: money, doc: What it costs. }"),
    inverse: ["handler-type-changed"],
    mirror: { waiver: "Handlers see one type in both directions." },
  },
  "client-type-changed": {
    area: "types",
    summary: ({ name, of, from, to }) => `clients see \`${name}\` of ${of} as ${to} now, not as ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from, to }) =>
          `Nothing changes on the wire; code that computes with ${from} no longer compiles, and throws where it meets ${to}.`,
      },
    },
    bump: "major",
    why: "JavaScript computes with a `bigint` and a `number` apart, and refuses to mix them.",
    todo: "Add a field of the new type, and mark the old one `deprecated`.",
    before: counted("integer"),
    after: counted("bigint"),
    inverse: ["client-type-changed"],
    mirror: { waiver: "Clients see one type in both directions." },
  },
  "generated-name-changed": {
    area: "types",
    summary: ({ name, from, to }) => `\`${name}\` is called ${to} in generated code now, not ${from}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) => `Nothing changes on the wire; code that uses ${from} no longer compiles.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ from, to }) => `Handler code that uses ${from} has to use ${to}.`,
      },
    },
    bump: "major",
    why: "A name in generated code is made from its own item, or said by `codeName`: nothing else in a spec changes it.",
    todo: "Keep the name that callers use: `codeName: LendBook`.",
    before: lendBook(),
    after: lendBook("codeName: BorrowBook"),
    inverse: ["generated-name-changed"],
    mirror: waivers.errorCodes,
  },
  "client-member-changed": {
    area: "types",
    summary: ({ name, from, to }) => `the generated client has \`${name}\` as ${to} now, not as ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) =>
          `Nothing changes on the wire; code that calls ${from} of a new client no longer compiles.`,
      },
    },
    bump: "major",
    why: "Callers of the generated client see its members: a group is made from its service, a method from its operation, a list from the field of its items, unless the spec says a name.",
    todo: "Keep the name that callers use: `codeName`, or `name` in `paging`.",
    before: pagedBooks("paging: { page: page, items: books }"),
    after: pagedBooks("paging: { page: page, items: books, name: catalogue }"),
    inverse: ["client-member-changed"],
    mirror: waivers.errorCodes,
  },
} as const satisfies Readonly<Record<string, Rule>>;
