import { waivers } from "./rule.ts";
import { lendBook, objectType } from "./samples.ts";
import { ruleTable } from "./table.ts";

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
export const nameRules = ruleTable("types", waivers.errorCodes, {
  "request-spelling-added": {
    area: "fields",
    says: "requests may call `{name}` of {of} also `{to}`",
    callers: "info: Requests may say `{to}`.",
    mirror: { rule: "response-also-sent-as-added" },
    why: "One more name is understood.",
    example: [request(plain), request(spelt)],
  },
  "request-spelling-removed": {
    area: "fields",
    says: "requests can no longer call `{name}` of {of} `{from}`",
    callers: "breaking: What requests say in `{from}` is not heard.",
    mirror: { rule: "response-also-sent-as-removed" },
    why: "Callers use spellings that are documented.",
    todo: "Keep the spelling; it costs nothing.",
  },
  "spelling-restated": {
    area: "texts",
    says: "the spellings of `{name}` of {of} are {to} now, not {from}",
    callers: "info: The same names are understood as before.",
    mirror: waivers.text,
    why: "Names in requests match ignoring case, and answers have no spellings: nothing is understood that was not, and nothing is lost.",
    example: [
      request(plain),
      request("- { name: readerId, type: string, spellings: [ReaderID], doc: Who borrows. }"),
    ],
  },
  "response-also-sent-as-added": {
    area: "fields",
    says: "answers repeat `{name}` of {of} as `{to}` now",
    callers: "info: Callers find `{to}`, which those who ignore unknown fields do not notice.",
    mirror: { rule: "request-spelling-added" },
    why: "The service adds the second name itself; handlers give the value once.",
    example: [loan(plain), loan(doubled)],
  },
  "response-also-sent-as-removed": {
    area: "fields",
    says: "answers no longer repeat `{name}` of {of} as `{from}`",
    callers: "breaking: Callers who read `{from}` find nothing: it is `{name}`.",
    mirror: { rule: "request-spelling-removed" },
    why: "Callers read one of the two names; which one is unknown.",
    todo: "Keep sending both.",
  },
  "event-also-sent-as-added": {
    area: "fields",
    says: "events repeat `{name}` of {of} as `{to}` now",
    receivers: "info: Receivers find `{to}`, which those who ignore unknown fields do not notice.",
    mirror: { rule: "request-spelling-added" },
    why: "The service adds the second name itself.",
    example: [event(plain), event(doubled)],
  },
  "event-also-sent-as-removed": {
    area: "fields",
    says: "events no longer repeat `{name}` of {of} as `{from}`",
    receivers: "breaking: Receivers who read `{from}` find nothing: it is `{name}`.",
    mirror: { rule: "request-spelling-removed" },
    why: "Receivers read one of the two names; which one is unknown.",
    todo: "Keep sending both.",
  },
  "also-sent-as-restated": {
    area: "texts",
    says: "the second name of `{name}` of {of} is {to} now, not {from}",
    callers: "info: Nothing changes on the wire.",
    mirror: waivers.text,
    why: "Only answers and events are sent under a second name; the field travels in neither.",
    example: [request(plain), request(doubled)],
  },
  "type-added": {
    says: "the type `{name}` was added",
    callers: "info: The client exports the type `{name}`.",
    why: "A type by itself does nothing: what uses it is a change of its own.",
    example: [none, card],
  },
  "type-removed": {
    says: "the type `{name}` was removed",
    callers: "warning: Nothing changes on the wire; code that imports the type `{name}` no longer compiles.",
    implementers: "warning: Handlers that import the type `{name}` no longer compile.",
    bump: "major",
    why: "The name of a type is only in generated code; what travelled as it is a change of its own.",
    todo: "Import the type that took its place. If it has a new name, say so with `renamedFrom`.",
  },
  "type-renamed": {
    says: "the type `{from}` is called `{to}` now",
    callers: "warning: Nothing changes on the wire; code that imports the type `{from}` no longer compiles.",
    implementers: "warning: Handlers that import the type `{from}` no longer compile.",
    bump: "major",
    why: "The name of a type is only in generated code.",
    todo: "Rename the import.",
    example: [card, card.replace("Card:", "LibraryCard:\n    renamedFrom: Card")],
    inverse: ["type-renamed", "type-added", "type-removed"],
  },
  "unused-type-changed": {
    says: "the type `{name}`, which nothing travels as, was changed",
    callers: "info: Nothing changes on the wire.",
    why: "No request, answer or event reaches the type before and after; only code that imports it by name may notice.",
    todo: "Nothing. Remove types that are not needed.",
    example: [card, objectType("Card", "A card.", "- { name: number, type: integer, doc: Its number. }")],
  },
  "named-type-changed": {
    says: "the generated type of `{name}` of {of} is {to} now, not {from}",
    callers: "info: What differs on the wire, if anything, is said beside this.",
    implementers: "info: Where handlers name the type, it is {to}.",
    bump: "patch",
    why: "The same structure may go by a name of its own, or be written in place.",
    todo: "Nothing, unless code names the type.",
    example: [
      loan("- { name: book, type: Book, doc: What is lent. }"),
      loan(
        "- name: book\n  type: object\n  doc: What is lent.\n  fields:\n    - { name: id, type: string, doc: Identifier. }\n    - { name: title, type: string, doc: Title. }\n    - { name: genre, type: Genre, doc: Kind of book. }",
      ),
    ],
  },
  "handler-type-changed": {
    says: "handlers see `{name}` of {of} as {to} now, not as {from}",
    implementers: "breaking: Handlers no longer compile where they do not expect {to}.",
    bump: "patch",
    mirror: { waiver: "Handlers see one type in both directions." },
    why: "On the wire `money` is a JSON number like others; handlers are given a decimal whose digits survive.",
    todo: "Compute with decimals in the handler; nothing has to be done outside.",
    example: [
      request("- { name: fee, type: number, doc: What it costs. }"),
      request("- { name: fee, type: money, doc: What it costs. }"),
    ],
  },
  "client-type-changed": {
    says: "clients see `{name}` of {of} as {to} now, not as {from}",
    callers:
      "breaking: Nothing changes on the wire; code that computes with {from} no longer compiles, and throws where it meets {to}.",
    mirror: { waiver: "Clients see one type in both directions." },
    why: "JavaScript computes with a `bigint` and a `number` apart, and refuses to mix them.",
    todo: "Add a field of the new type, and mark the old one `deprecated`.",
    example: [counted("integer"), counted("bigint")],
  },
  "generated-name-changed": {
    says: "`{name}` is called {to} in generated code now, not {from}",
    callers: "warning: Nothing changes on the wire; code that uses {from} no longer compiles.",
    implementers: "warning: Handler code that uses {from} has to use {to}.",
    bump: "major",
    why: "A name in generated code is made from its own item, or said by `codeName`: nothing else in a spec changes it.",
    todo: "Keep the name that callers use: `codeName: LendBook`.",
    example: [lendBook(), lendBook("codeName: BorrowBook")],
  },
  "client-member-changed": {
    says: "the generated client has `{name}` as {to} now, not as {from}",
    callers:
      "breaking: Nothing changes on the wire; code that calls {from} of a new client no longer compiles.",
    why: "Callers of the generated client see its members: a group is made from its service, a method from its operation, a list from the field of its items, unless the spec says a name.",
    todo: "Keep the name that callers use: `codeName`, or `name` in `paging`.",
    example: [
      pagedBooks("paging: { page: page, items: books }"),
      pagedBooks("paging: { page: page, items: books, name: catalogue }"),
    ],
  },
});
