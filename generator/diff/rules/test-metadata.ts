import { waivers } from "./rule.ts";
import { ruleTable } from "./table.ts";

const resource = (absent: string, sample: string): string =>
  `resources:\n  book:\n    doc: A book that the caller may lend.\n    section: "2"\n    absent: ${absent}\n    samples:\n      ${sample}: What is on its back.\n`;
const book = resource("NOT_FOUND_BOOK", "bookId");
const noBook = "# there is no resource book\n";
const scenario = (payload: string): string =>
  `scenarios:\n  read-twice:\n    doc: A book reads the same twice.\n    section: "2"\n    steps:\n      - { call: BookService.GetBook, payload: { id: ${payload} } }\n`;
const noScenario = "# there is no scenario read-twice\n";
const requirement = (name: string): string =>
  `requirements:\n  2/read:\n    doc: A book can be read.\n    section: "2"\n    cases: [BookService.GetBook/payload/${name}]\n`;
const noRequirement = "# there is no requirement 2/read\n";
const findBooks = (...lines: readonly string[]): string =>
  `methods:\n  BookService.FindBooks:\n    doc: Finds books.\n    section: "2"\n    effect: read\n    auth: [credential]\n${lines.map((line) => `    ${line}\n`).join("")}    payload:\n      fields:\n        - { name: page, type: integer, minimum: 1, optional: true, doc: Number of the page. }\n        - { name: size, type: integer, minimum: 1, optional: true, doc: Books on a page. }\n    result:\n      fields:\n        - { name: books, type: array of Book, doc: The books. }\n`;
const paged = "paging: { page: page, size: size, items: books }";
const addKey = (...lines: readonly string[]): string =>
  `methods:\n  BookService.AddKey:\n    doc: Makes a key known.\n    section: "2"\n    effect: create\n    auth: [credential]\n${lines.map((line) => `    ${line}\n`).join("")}    payload:\n      fields:\n        - { name: key, type: pem, doc: The key. }\n    result:\n      fields:\n        - { name: keyId, type: string, doc: Its identifier. }\n`;
const field = (keys: string): string =>
  `${book}methods:\n  BookService.GetBook:\n    doc: Reads one book.\n    section: "1"\n    effect: read\n    auth: [credential, signature]\n    payload:\n      fields:\n        - { name: id, type: string, ${keys}doc: Identifier. }\n    result: Book\n    errors:\n      NOT_FOUND_BOOK: {}\n`;

/** The rules on test metadata: pages, keys, samples and scenarios. */
export const testMetadataRules = ruleTable("texts", waivers.errorCodes, {
  "paging-added": {
    area: "operations",
    says: "`{name}` says how its list is read page by page: {to}",
    callers: "info: Clients can read the whole list of `{name}` item by item.",
    mirror: waivers.whole,
    why: "The fields are the same; generated clients make more of them.",
    example: [findBooks(), findBooks(paged)],
  },
  "paging-removed": {
    area: "operations",
    says: "`{name}` no longer says how its list is read page by page",
    callers: "warning: Clients can no longer read the whole list of `{name}` item by item.",
    bump: "major",
    mirror: waivers.whole,
    why: "Nothing changes on the wire; the generated client loses what it made of it.",
    todo: "Turn the pages by hand.",
  },
  "paging-changed": {
    area: "operations",
    says: "the list of `{name}` is read by {to} now, not by {from}",
    callers:
      "warning: Callers who turn the pages of `{name}` by hand may get fewer items than they asked for, or other ones.",
    implementers: "warning: The handler of `{name}` has to give pages as it says now.",
    mirror: waivers.whole,
    why: "Callers who take a short page for the last one stop too early where the most items of a page became fewer.",
    todo: "Turn the pages until one is empty.",
    example: [
      findBooks("paging: { page: page, size: size, sizeMax: 100, items: books }"),
      findBooks("paging: { page: page, size: size, sizeMax: 50, items: books }"),
    ],
  },
  "paging-style-changed": {
    area: "operations",
    says: "the pages of `{name}` are asked for by {to} now, not by {from}",
    callers: "breaking: Callers who turn the pages of `{name}` get the first one each time.",
    implementers: "breaking: The handler of `{name}` has to find pages in another way.",
    mirror: waivers.whole,
    why: "The old field means nothing any more, so that every request asks for the first page.",
    todo: "Add an operation that pages in the new way, and keep this one for a revision.",
    example: [
      findBooks(paged),
      findBooks("paging: { cursor: from, next: rest, size: size, items: books }")
        .replace(
          "name: page, type: integer, minimum: 1, optional: true",
          "name: from, type: string, optional: true",
        )
        .replace(
          "doc: The books. }",
          "doc: The books. }\n        - { name: rest, type: string, optional: true, doc: What follows. }",
        ),
    ],
  },
  "empty-page-changed": {
    area: "operations",
    says: "the error for a page of `{name}` without items is {to} now, it was {from}",
    callers: "breaking: Callers of `{name}` see the end of the list in another way.",
    implementers: "warning: The handler of `{name}` has to answer such a page as it says now.",
    mirror: waivers.whole,
    why: "Who waited for an empty list gets an error, and who waited for the error turns pages without end.",
    todo: "Answer a page without items as before.",
    example: [
      findBooks(paged, "errors: { NOT_FOUND_BOOK: {} }"),
      findBooks(paged.replace("}", ", empty: NOT_FOUND_BOOK }"), "errors: { NOT_FOUND_BOOK: {} }"),
    ],
  },
  "first-page-changed": {
    area: "operations",
    says: "the first page of `{name}` is {to} now, not {from}",
    callers: "breaking: Callers who begin with page {from} of `{name}` miss items, or are refused.",
    implementers: "breaking: The handler of `{name}` has to count pages from {to}.",
    mirror: waivers.requestOnly,
    why: "Every page has another number: nothing fails, and the list lacks a page.",
    todo: "Keep the `minimum` of the page's field.",
    example: [findBooks(paged), findBooks(paged).replace("minimum: 1", "minimum: 0")],
    inverse: ["first-page-changed", "request-bound-tightened"],
  },
  "registers-key-added": {
    area: "authentication",
    says: "`{name}` is said to make a key known: {to}",
    callers: "info: Clients can make a pair of keys for `{name}` and sign with it.",
    mirror: waivers.whole,
    why: "The fields are the same; generated clients make more of them.",
    example: [addKey(), addKey("registersKey: { publicKey: key, keyId: keyId }")],
  },
  "registers-key-removed": {
    area: "authentication",
    says: "`{name}` is no longer said to make a key known",
    callers: "warning: Clients no longer make a pair of keys for `{name}`.",
    implementers: "warning: Whether `{name}` makes a key known is open.",
    bump: "major",
    mirror: waivers.whole,
    why: "The generated client loses what it made of it; whether later calls may be signed with such a key is open.",
    todo: "Make the pair by hand.",
  },
  "registers-key-changed": {
    area: "authentication",
    says: "`{name}` makes a key known by {to} now, not by {from}",
    callers: "breaking: Callers who make a key known with `{name}` by {from} find it unknown.",
    implementers: "breaking: The handler of `{name}` has to take the key from {to}.",
    mirror: waivers.whole,
    why: "A key that is not known signs nothing.",
    todo: "Take the key from both fields for a revision at least.",
    example: [
      addKey("registersKey: { publicKey: key, keyId: keyId }").replace(
        "keyId, type: string, doc: Its identifier. }",
        "keyId, type: string, doc: Its identifier. }\n        - { name: number, type: string, doc: Its number. }",
      ),
      addKey("registersKey: { publicKey: key, keyId: number }").replace(
        "keyId, type: string, doc: Its identifier. }",
        "keyId, type: string, doc: Its identifier. }\n        - { name: number, type: string, doc: Its number. }",
      ),
    ],
  },
  "sample-changed": {
    says: "{name} stands for {to} in trials now, not for {from}",
    implementers: "info: Trials of the service put other samples there.",
    mirror: waivers.text,
    why: "Samples are for trying a service; what it takes and gives is the same.",
    example: [field(""), field("identifies: bookId, ")],
  },
  "resource-added": {
    says: "the resource `{name}` was added",
    implementers: "info: Trials of the service need samples of `{name}`.",
    why: "Resources are for trying a service.",
    todo: "Add its samples to the file of samples.",
    example: [noBook, book],
  },
  "resource-removed": {
    says: "the resource `{name}` was removed",
    implementers: "info: Trials of the service need no samples of `{name}`.",
    why: "Resources are for trying a service.",
  },
  "resource-changed": {
    says: "the resource `{name}` says {to} now, not {from}",
    implementers: "warning: Trials of the service expect something else of `{name}`.",
    why: "What is answered where there is no such object stands at the methods; trials look for it by what is said here.",
    todo: "See that the file of samples fits, and that the service answers so.",
    example: [book, resource("CONFLICT", "bookId")],
  },
  "scenario-added": {
    says: "the scenario `{name}` was added",
    implementers: "warning: The service is tried by `{name}` too.",
    why: "A service that did what the text says may turn out not to.",
    todo: "Run the trials.",
    example: [noScenario, scenario("B-1")],
  },
  "scenario-removed": {
    says: "the scenario `{name}` was removed",
    implementers: "info: The service is no longer tried by `{name}`.",
    why: "What is not tried is still promised.",
  },
  "scenario-changed": {
    says: "the scenario `{name}` was changed",
    implementers: "warning: The service is tried otherwise by `{name}`.",
    why: "A service that passed may not pass now.",
    todo: "Run the trials.",
    example: [scenario("B-1"), scenario("B-2")],
  },
  "requirement-added": {
    says: "the requirement `{name}` was added",
    implementers: "warning: The cases of `{name}` count in trials of the service.",
    why: "What was tried without counting counts now.",
    todo: "Run the trials.",
    example: [noRequirement, requirement("minimal")],
  },
  "requirement-removed": {
    says: "the requirement `{name}` was removed",
    implementers: "info: Cases that only `{name}` has no longer count in trials of the service.",
    why: "They still run.",
  },
  "requirement-changed": {
    says: "other cases show whether `{name}` holds",
    implementers: "warning: Other cases of `{name}` count in trials of the service.",
    why: "A service that passed may not pass now.",
    todo: "Run the trials.",
    example: [requirement("minimal"), requirement("maximal")],
  },
});
